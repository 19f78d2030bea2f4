// Which program, built how, on which arithmetic, made a result.
#pragma once

#include <string>

namespace macrostep::engine {

struct Provenance {
  std::string version;
  std::string build_id;    ///< identity of this binary, from its linker
  std::string math_class;  ///< hash of libm values: results agree bit for bit where it agrees
};

Provenance provenance();

}  // namespace macrostep::engine
