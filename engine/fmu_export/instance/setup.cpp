#include "engine/fmu_export/instance/setup.hpp"

#include <algorithm>
#include <charconv>

#include "engine/base/text.hpp"
#include "engine/benchmarks/catalogue.hpp"

namespace macrostep::engine {

namespace {

constexpr std::string_view format = "macrostep subsystem 1";
constexpr std::string_view parameters_pointer = "/parameters/";

/// Cuts off the first word or line.
std::string_view cut(std::string_view& text, std::string_view separator) {
  const auto end = text.find(separator);
  const auto first = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + separator.size());
  return first;
}

std::optional<double> number_from(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// One "key = value"; false if there is no such key, or its value is none.
bool read_line(FmuSetup& setup, std::string_view key, const std::string& value) {
  const auto kind = cut(key, " ");
  const std::string name(cut(key, " "));
  if (kind == "token") {
    setup.token = value;
  } else if (kind == "problem") {
    setup.problem = value;
  } else if (kind == "coupling") {
    setup.coupling = value;
  } else if (kind == "subsystem") {
    setup.subsystem = value;
  } else if (kind == "integrator") {
    const auto integrator = models::integrator_from(value);
    setup.integrator = integrator.value_or(models::Integrator{});
    return integrator.has_value();
  } else {
    const auto number = number_from(value);
    if (!number) {
      return false;
    }
    if (kind == "micro_step_s" && *number > 0) {
      setup.micro_step_s = *number;
    } else if (kind == "fixed") {
      setup.fixed[name] = *number;
    } else if (kind == "parameter") {
      setup.parameters.push_back({name, std::string(key), *number});
    } else if (kind == "input") {
      setup.inputs.push_back({name, *number});
    } else {
      return false;
    }
  }
  return true;
}

/// Whether the FMU's variables are those of the subsystem.
bool has_inputs(const FmuSetup& setup, const models::Description& description) {
  std::vector<std::string> names;
  for (const auto& port : description.inputs) {
    names.push_back(port.name);
  }
  for (const auto& port : description.externals) {
    names.push_back(port.name);
  }
  return std::ranges::equal(setup.inputs, names, {}, &FmuInput::name);
}

}  // namespace

std::string text_of(const FmuSetup& setup) {
  std::string text(format);
  text += '\n';
  const auto line = [&text](const std::string& key, const std::string& value) {
    text += key + " = " + value + "\n";
  };
  line("token", setup.token);
  line("problem", setup.problem);
  line("coupling", setup.coupling);
  line("subsystem", setup.subsystem);
  line("integrator", std::string(to_string(setup.integrator)));
  if (setup.micro_step_s) {
    line("micro_step_s", exact_text(*setup.micro_step_s));
  }
  for (const auto& [path, value] : setup.fixed) {
    line("fixed " + path, exact_text(value));
  }
  for (const auto& parameter : setup.parameters) {
    line("parameter " + parameter.name + " " + parameter.path, exact_text(parameter.start));
  }
  for (const auto& input : setup.inputs) {
    line("input " + input.name, exact_text(input.start));
  }
  return text;
}

std::variant<FmuSetup, std::string> setup_from(std::string_view text) {
  if (cut(text, "\n") != format) {
    return "does not begin with \"" + std::string(format) + "\"";
  }
  FmuSetup setup;
  while (!text.empty()) {
    auto value = cut(text, "\n");
    const std::string line(value);
    const auto key = cut(value, " = ");
    if (!read_line(setup, key, std::string(value))) {
      return "has a line that means nothing: \"" + shortened(line) + "\"";
    }
  }
  return setup;
}

std::variant<SubsystemDefinition, FieldErrors> build_subsystem(const FmuSetup& setup,
                                                               std::span<const double> parameters) {
  const auto* built_in = find_built_in(setup.problem);
  if (!built_in) {
    return FieldErrors{{"", "there is no problem '" + setup.problem + "'"}};
  }
  auto values = setup.fixed;
  for (std::size_t i = 0; i < setup.parameters.size(); ++i) {
    values[setup.parameters[i].path] = parameters[i];
  }
  auto built = built_in->build(values);
  if (auto* errors = std::get_if<FieldErrors>(&built)) {
    return std::move(*errors);
  }
  auto& problem = std::get<Problem>(built);
  const auto coupling = std::ranges::find(problem.couplings, setup.coupling, &Coupling::name);
  if (coupling == problem.couplings.end()) {
    return FieldErrors{{"", "there is no coupling '" + setup.coupling + "'"}};
  }
  const auto found =
      std::ranges::find(coupling->subsystems, setup.subsystem, &SubsystemDefinition::name);
  if (found == coupling->subsystems.end()) {
    return FieldErrors{{"", "there is no subsystem '" + setup.subsystem + "'"}};
  }
  if (!has_inputs(setup, found->description)) {
    return FieldErrors{{"", "the subsystem has other inputs than the FMU"}};
  }
  return std::move(*found);
}

std::string text_of(const FmuSetup& setup, const FieldErrors& errors) {
  std::string text;
  for (const auto& error : errors) {
    std::string_view name = error.pointer;
    if (name.starts_with(parameters_pointer)) {
      name.remove_prefix(parameters_pointer.size());
      const auto parameter = std::ranges::find(setup.parameters, name, &FmuParameter::path);
      name = parameter == setup.parameters.end() ? name : std::string_view(parameter->name);
    }
    text +=
        (text.empty() ? "" : "; ") + std::string(name) + (name.empty() ? "" : ": ") + error.message;
  }
  return text;
}

}  // namespace macrostep::engine
