// Reading and setting values of an instance (called_instance.hpp), of all types. The functions of a
// version have one shape for all of them.
#pragma once

#include <string>
#include <vector>

#include "models/fmi/calls/called_instance.hpp"
#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi::calls {

/// The value of a variable as its function gives it.
struct Value {
  double number = 0;  ///< to tell how far two are apart; 0 for texts
  std::string bytes;  ///< of the C type, or the text
  bool operator==(const Value& other) const { return bytes == other.bytes; }
};
using Values = std::vector<Value>;
using Variables = std::vector<const Variable*>;

/// A number as a value of the variable's type.
Value value_of(const Variable& variable, Version version, double number);

Values get(CalledInstance& instance, const Variables& variables);
void set(CalledInstance& instance, const Variables& variables, const Values& values);

}  // namespace macrostep::models::fmi::calls
