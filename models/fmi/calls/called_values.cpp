#include "models/fmi/calls/called_values.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "models/subsystem/ensure.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// Most bytes of a text that an FMU gives.
constexpr std::size_t max_text_bytes = 1 << 20;

/// What the functions of this type are called after; enumerations have those of integers.
const char* type_name(VariableType type, Version version) {
  using enum VariableType;
  const bool two = version == Version::fmi2;
  switch (type) {
    case float64:
      return two ? "Real" : "Float64";
    case int32:
      return two ? "Integer" : "Int32";
    case enumeration:
      return two ? "Integer" : "Int64";
    case boolean:
      return "Boolean";
    case string:
      return "String";
    case float32:
      return "Float32";
    case int8:
      return "Int8";
    case uint8:
      return "UInt8";
    case int16:
      return "Int16";
    case uint16:
      return "UInt16";
    case uint32:
      return "UInt32";
    case int64:
      return "Int64";
    case uint64:
      return "UInt64";
    case binary:
    case clock:
      break;
  }
  ensure(false, "binaries and clocks are not called");
  return "";
}

/// visit(zero of the C type). A boolean of FMI 3 is read as a byte, which need not be 0 or 1.
template <class Visit>
void with_type(VariableType type, Version version, Visit visit) {
  using enum VariableType;
  const bool two = version == Version::fmi2;
  switch (type) {
    case float64:
      return visit(double{});
    case float32:
      return visit(float{});
    case int8:
      return visit(std::int8_t{});
    case uint8:
      return visit(std::uint8_t{});
    case int16:
      return visit(std::int16_t{});
    case uint16:
      return visit(std::uint16_t{});
    case int32:
      return visit(std::int32_t{});
    case uint32:
      return visit(std::uint32_t{});
    case int64:
      return visit(std::int64_t{});
    case uint64:
      return visit(std::uint64_t{});
    case boolean:
      return two ? visit(std::int32_t{}) : visit(std::uint8_t{});
    case enumeration:
      return two ? visit(std::int32_t{}) : visit(std::int64_t{});
    case string:
    case binary:
    case clock:
      break;
  }
  ensure(false, "numbers and booleans alone have a C type here");
}

template <class T>
Value number_value(T number) {
  Value value{.number = static_cast<double>(number), .bytes = std::string(sizeof number, '\0')};
  std::memcpy(value.bytes.data(), &number, sizeof number);
  return value;
}

/// Where the variables of one function stand in the whole list.
std::map<std::string, std::vector<std::size_t>> by_function(const Variables& variables,
                                                            Version version) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    groups[type_name(variables[i]->type, version)].push_back(i);
  }
  return groups;
}

std::vector<std::uint32_t> references_of(const Variables& variables,
                                         const std::vector<std::size_t>& places) {
  std::vector<std::uint32_t> references;
  for (const auto place : places) {
    references.push_back(variables[place]->reference);
  }
  return references;
}

// Functions that set have the same signatures but for a const.
template <class T>
using Fmi2Get = int(void*, const std::uint32_t*, std::size_t, T*);
template <class T>
using Fmi3Get = int(void*, const std::uint32_t*, std::size_t, T*, std::size_t);

/// Calls a function that gets or sets the values of variables.
template <class T>
void access(CalledInstance& instance, const std::string& name,
            const std::vector<std::uint32_t>& references, std::vector<T>& buffer) {
  if (instance.is_fmi2()) {
    instance.call<Fmi2Get<T>>(name.c_str(), Discard::ends, references.data(), references.size(),
                              buffer.data());
  } else {
    instance.call<Fmi3Get<T>>(name.c_str(), Discard::ends, references.data(), references.size(),
                              buffer.data(), buffer.size());
  }
}

}  // namespace

Value value_of(const Variable& variable, Version version, double number) {
  Value value;
  with_type(variable.type, version, [&]<class T>(T) {
    // A start beyond the type is a mistake of the description, told of elsewhere.
    const auto least = static_cast<double>(std::numeric_limits<T>::lowest());
    const auto most = static_cast<double>(std::numeric_limits<T>::max());
    value = number >= most ? number_value(std::numeric_limits<T>::max())
                           : number_value(static_cast<T>(std::max(number, least)));
  });
  return value;
}

Values get(CalledInstance& instance, const Variables& variables) {
  const auto version = instance.session().fmu.description.version;
  Values values(variables.size());
  for (const auto& group : by_function(variables, version)) {
    const auto& places = group.second;
    const auto read = [&]<class T>(std::vector<T>& buffer) {
      access(instance, (instance.is_fmi2() ? "fmi2Get" : "fmi3Get") + group.first,
             references_of(variables, places), buffer);
    };
    if (variables[places.front()]->type == VariableType::string) {
      std::vector<const char*> texts(places.size());
      read(texts);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (texts[i] == nullptr) {
          instance.session().log.error("gave no text for " + variables[places[i]]->name);
        } else {
          values[places[i]].bytes.assign(texts[i], strnlen(texts[i], max_text_bytes));
        }
      }
      continue;
    }
    with_type(variables[places.front()]->type, version, [&]<class T>(T) {
      std::vector<T> buffer(places.size());
      read(buffer);
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto& variable = *variables[places[i]];
        values[places[i]] = number_value(buffer[i]);
        if (variable.type == VariableType::boolean && buffer[i] != 0 && buffer[i] != 1) {
          instance.session().log.error("gave a boolean that is neither true nor false for " +
                                       variable.name);
        }
      }
    });
  }
  return values;
}

void set(CalledInstance& instance, const Variables& variables, const Values& values) {
  const auto version = instance.session().fmu.description.version;
  for (const auto& group : by_function(variables, version)) {
    const auto& places = group.second;
    const auto write = [&]<class T>(std::vector<T>& buffer) {
      access(instance, (instance.is_fmi2() ? "fmi2Set" : "fmi3Set") + group.first,
             references_of(variables, places), buffer);
    };
    if (variables[places.front()]->type == VariableType::string) {
      std::vector<const char*> texts;
      for (const auto place : places) {
        texts.push_back(values[place].bytes.c_str());
      }
      write(texts);
      continue;
    }
    with_type(variables[places.front()]->type, version, [&]<class T>(T) {
      std::vector<T> buffer(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        std::memcpy(&buffer[i], values[places[i]].bytes.data(), sizeof(T));
      }
      write(buffer);
    });
  }
}

}  // namespace macrostep::models::fmi::calls
