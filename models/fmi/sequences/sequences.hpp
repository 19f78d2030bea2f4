// The sequences of calls that an FMU is put through, one topic a file. Each begins with a library
// that no other sequence has used, and makes legal calls alone.
#pragma once

#include "models/fmi/calls/called_instance.hpp"

namespace macrostep::models::fmi::calls {

struct Applicability {
  Version version = Version::fmi2;
  InterfaceKind kind = InterfaceKind::co_simulation;
  const Interface& interface;
  const ModelDescription& model;
};

struct Sequence {
  const char* words;  ///< as in "during steps of equal size"
  bool (*applies)(const Applicability&);
  void (*run)(Session&);
};

inline bool always(const Applicability&) {
  return true;
}
inline bool may_repeat(const Applicability& a) {
  return !a.interface.only_one_instance_per_process;
}

}  // namespace macrostep::models::fmi::calls
