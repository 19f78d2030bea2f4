// Which program, built how, on which arithmetic, made a result.
#pragma once

#include <string>

namespace macrostep::engine {

struct Provenance {
  std::string version;
  std::string build_id;  ///< identity of this binary, from its linker
  /// Hash of libm values and of the version of SUNDIALS: results agree bit for bit where it agrees.
  std::string math_class;
};

Provenance provenance();

}  // namespace macrostep::engine
