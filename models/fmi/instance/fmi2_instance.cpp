#include "models/fmi/instance/fmi2_instance.hpp"

#include <array>
#include <cfenv>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "models/fmi/instance/callback_environments.hpp"
#include "models/fmi/instance/floating_point_mode.hpp"
#include "models/fmi/instance/fmu_log.hpp"
#include "models/fmi/instance/resource_path.hpp"
#include "models/fmi/instance/shared_library.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr std::array status_names{"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};

const char* name_of_status(fmi2_status status) {
  const auto i = static_cast<std::size_t>(status);
  return i < status_names.size() ? status_names[i] : "a status unknown to FMI 2.0";
}

/// The functions of one interface; those that an FMU need not have may be null.
struct Functions {
  fmi2_instantiate_function* instantiate;
  fmi2_free_instance_function* free_instance;
  fmi2_set_debug_logging_function* set_debug_logging;
  fmi2_setup_experiment_function* setup_experiment;
  fmi2_enter_initialization_mode_function* enter_initialization;
  fmi2_exit_initialization_mode_function* exit_initialization;
  fmi2_get_real_function* get_real;
  fmi2_get_integer_function* get_integer;
  fmi2_get_boolean_function* get_boolean;
  fmi2_set_real_function* set_real;
  fmi2_set_integer_function* set_integer;
  fmi2_set_boolean_function* set_boolean;
  fmi2_set_string_function* set_string;
  fmi2_get_fmu_state_function* get_state;
  fmi2_set_fmu_state_function* set_state;
  fmi2_free_fmu_state_function* free_state;
  fmi2_get_directional_derivative_function* directional_derivative;
  fmi2_do_step_function* do_step;
  fmi2_set_real_input_derivatives_function* set_input_derivatives;
  fmi2_get_real_status_function* get_real_status;
  fmi2_get_boolean_status_function* get_boolean_status;
  fmi2_enter_event_mode_function* enter_event_mode;
  fmi2_new_discrete_states_function* new_discrete_states;
  fmi2_enter_continuous_time_mode_function* enter_continuous_time;
  fmi2_completed_integrator_step_function* completed_step;
  fmi2_set_time_function* set_time;
  fmi2_set_continuous_states_function* set_states;
  fmi2_get_continuous_states_function* get_states;
  fmi2_get_nominals_of_continuous_states_function* get_nominals;
  fmi2_get_derivatives_function* get_derivatives;
  fmi2_get_event_indicators_function* get_event_indicators;
};

Functions load_functions(const SharedLibrary& library, const Interface& interface,
                         InterfaceKind kind) {
  Functions f{};
  library.load(f.instantiate, "fmi2Instantiate");
  library.load(f.free_instance, "fmi2FreeInstance");
  library.load_if_there(f.set_debug_logging, "fmi2SetDebugLogging");
  library.load(f.setup_experiment, "fmi2SetupExperiment");
  library.load(f.enter_initialization, "fmi2EnterInitializationMode");
  library.load(f.exit_initialization, "fmi2ExitInitializationMode");
  library.load(f.get_real, "fmi2GetReal");
  library.load(f.get_integer, "fmi2GetInteger");
  library.load(f.get_boolean, "fmi2GetBoolean");
  library.load(f.set_real, "fmi2SetReal");
  library.load(f.set_integer, "fmi2SetInteger");
  library.load(f.set_boolean, "fmi2SetBoolean");
  library.load(f.set_string, "fmi2SetString");
  if (interface.can_get_and_set_state) {
    library.load(f.get_state, "fmi2GetFMUstate");
    library.load(f.set_state, "fmi2SetFMUstate");
    library.load(f.free_state, "fmi2FreeFMUstate");
  }
  if (interface.provides_directional_derivatives) {
    library.load(f.directional_derivative, "fmi2GetDirectionalDerivative");
  }
  if (kind == InterfaceKind::co_simulation) {
    library.load(f.do_step, "fmi2DoStep");
    if (interface.max_input_derivative_order > 0) {
      library.load(f.set_input_derivatives, "fmi2SetRealInputDerivatives");
    }
    library.load_if_there(f.get_real_status, "fmi2GetRealStatus");
    library.load_if_there(f.get_boolean_status, "fmi2GetBooleanStatus");
    return f;
  }
  library.load(f.enter_event_mode, "fmi2EnterEventMode");
  library.load(f.new_discrete_states, "fmi2NewDiscreteStates");
  library.load(f.enter_continuous_time, "fmi2EnterContinuousTimeMode");
  library.load(f.completed_step, "fmi2CompletedIntegratorStep");
  library.load(f.set_time, "fmi2SetTime");
  library.load(f.set_states, "fmi2SetContinuousStates");
  library.load(f.get_states, "fmi2GetContinuousStates");
  library.load(f.get_nominals, "fmi2GetNominalsOfContinuousStates");
  library.load(f.get_derivatives, "fmi2GetDerivatives");
  library.load(f.get_event_indicators, "fmi2GetEventIndicators");
  return f;
}

/// The FMU may call this at any time from any of its functions. A message with an unknown
/// environment is ignored, as nobody knows which instance it is of.
void log_message(fmi2_component_environment log, fmi2_string, fmi2_status status, fmi2_string,
                 fmi2_string format, ...) {
  if (status == fmi2_ok || format == nullptr) {
    return;
  }
  std::array<char, max_message_length + 1> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  with_known(log, [&] { static_cast<FmuLog*>(log)->add(text.data()); });
}

void* allocate(size_t count, size_t size) {
  return std::calloc(count, size);
}

void release(void* memory) {
  std::free(memory);
}

}  // namespace

struct Fmi2Instance::Parts {
  Parts(const Fmu& fmu, const Interface& interface, const std::filesystem::path& file,
        InterfaceKind kind, std::string instance_name)
      : name(std::move(instance_name)), library(file), f(load_functions(library, interface, kind)) {
    const std::string resources = resource_uri(fmu.directory);
    component = f.instantiate(
        name.c_str(),
        kind == InterfaceKind::co_simulation ? fmi2_co_simulation : fmi2_model_exchange,
        fmu.description.token.c_str(), resources.c_str(), &callbacks, fmi2_false, fmi2_false);
    if (component == nullptr) {
      throw SubsystemFailed("FMU '" + name + "': fmi2Instantiate gave no instance" + log.tail());
    }
    std::fesetenv(FE_DFL_ENV);  // loading a library may change it
    ask_for_errors(error_categories(fmu.description));
  }
  ~Parts() {
    if (component != nullptr && !fatal) {
      if (saved != nullptr) {
        f.free_state(component, &saved);
      }
      f.free_instance(component);
    }
    std::fesetenv(FE_DFL_ENV);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// An FMU that does not want to tell is as good as any other, unless it has broken down.
  void ask_for_errors(const std::vector<const char*>& categories) {
    if (f.set_debug_logging == nullptr || categories.empty()) {
      return;
    }
    const auto status =
        f.set_debug_logging(component, fmi2_true, categories.size(), categories.data());
    if (status == fmi2_fatal) {
      require(status, "fmi2SetDebugLogging");
    }
  }

  /// False if the status is neither OK nor Warning; `failure` says which then.
  bool fine(fmi2_status status, const char* function) {
    if (status == fmi2_ok || status == fmi2_warning) [[likely]] {
      return true;
    }
    fatal = fatal || status == fmi2_fatal;
    failure = "FMU '" + name + "': " + function + " returned " + name_of_status(status);
    if (status == fmi2_pending) {
      failure += ", and asynchronous steps are not supported";
    }
    failure += log.tail();
    return false;
  }
  void require(fmi2_status status, const char* function) {
    if (!fine(status, function)) [[unlikely]] {
      throw SubsystemFailed(failure);
    }
  }

  std::string name;
  FmuLog log;
  CallbackEnvironment environment{&log};
  fmi2_callbacks callbacks{&log_message, &allocate, &release, nullptr, &log};
  SharedLibrary library;
  Functions f;
  fmi2_component component = nullptr;
  fmi2_fmu_state saved = nullptr;
  bool fatal = false;
  std::string failure;
};

Fmi2Instance::Fmi2Instance(const Fmu& fmu, InterfaceKind kind, const std::string& name,
                           const StepServices&)
    : parts_(std::make_unique<Parts>(fmu, interface_of(fmu, kind), library_of(fmu, kind), kind,
                                     name)) {}

Fmi2Instance::~Fmi2Instance() = default;

const std::string& Fmi2Instance::failure() const {
  return parts_->failure;
}

void Fmi2Instance::enter_initialization(double start_s) {
  auto& p = *parts_;
  p.require(p.f.setup_experiment(p.component, fmi2_false, 0, start_s, fmi2_false, 0),
            "fmi2SetupExperiment");
  p.require(p.f.enter_initialization(p.component), "fmi2EnterInitializationMode");
}

void Fmi2Instance::exit_initialization() {
  auto& p = *parts_;
  p.require(p.f.exit_initialization(p.component), "fmi2ExitInitializationMode");
  restore_floating_point_mode();
}

void Fmi2Instance::get(NumberList& list, std::span<double> values) {
  auto& p = *parts_;
  for (auto& group : list.groups) {
    const auto* references = group.references.data();
    const auto count = group.references.size();
    if (list.plain) {
      p.require(p.f.get_real(p.component, references, count, values.data()), "fmi2GetReal");
    } else if (group.type == VariableType::float64) {
      auto* buffer = reinterpret_cast<double*>(group.buffer.data());
      p.require(p.f.get_real(p.component, references, count, buffer), "fmi2GetReal");
      read_buffer<double>(group, values);
    } else {
      const bool boolean = group.type == VariableType::boolean;
      auto* buffer = reinterpret_cast<int*>(group.buffer.data());
      p.require(
          (boolean ? p.f.get_boolean : p.f.get_integer)(p.component, references, count, buffer),
          boolean ? "fmi2GetBoolean" : "fmi2GetInteger");
      read_buffer<int>(group, values);
    }
  }
  restore_floating_point_mode();
}

void Fmi2Instance::set(NumberList& list, std::span<const double> values) {
  auto& p = *parts_;
  for (auto& group : list.groups) {
    const auto* references = group.references.data();
    const auto count = group.references.size();
    if (list.plain) {
      p.require(p.f.set_real(p.component, references, count, values.data()), "fmi2SetReal");
    } else if (group.type == VariableType::float64) {
      write_buffer<double>(group, values);
      const auto* buffer = reinterpret_cast<const double*>(group.buffer.data());
      p.require(p.f.set_real(p.component, references, count, buffer), "fmi2SetReal");
    } else {
      const bool boolean = group.type == VariableType::boolean;
      boolean ? write_buffer<int, bool>(group, values) : write_buffer<int>(group, values);
      const auto* buffer = reinterpret_cast<const int*>(group.buffer.data());
      p.require(
          (boolean ? p.f.set_boolean : p.f.set_integer)(p.component, references, count, buffer),
          boolean ? "fmi2SetBoolean" : "fmi2SetInteger");
    }
  }
}

void Fmi2Instance::set_text(std::uint32_t reference, const std::string& text) {
  auto& p = *parts_;
  const fmi2_string value = text.c_str();
  p.require(p.f.set_string(p.component, &reference, 1, &value), "fmi2SetString");
}

void Fmi2Instance::directional_derivative(std::span<const std::uint32_t> unknowns,
                                          std::uint32_t known, std::span<double> sensitivity) {
  auto& p = *parts_;
  const double seed = 1;
  p.require(p.f.directional_derivative(p.component, unknowns.data(), unknowns.size(), &known, 1,
                                       &seed, sensitivity.data()),
            "fmi2GetDirectionalDerivative");
  restore_floating_point_mode();
}

void Fmi2Instance::save() {
  auto& p = *parts_;
  p.require(p.f.get_state(p.component, &p.saved), "fmi2GetFMUstate");
}

void Fmi2Instance::restore() {
  auto& p = *parts_;
  p.require(p.f.set_state(p.component, p.saved), "fmi2SetFMUstate");
}

DoStepEnd Fmi2Instance::do_step(double time_s, double size_s) {
  auto& p = *parts_;
  // The state before may be asked for again where rollback exists; true would forbid it.
  const auto status =
      p.f.do_step(p.component, time_s, size_s, p.saved == nullptr ? fmi2_true : fmi2_false);
  restore_floating_point_mode();
  if (p.fine(status, "fmi2DoStep")) [[likely]] {
    return {};
  }
  DoStepEnd end{.status = CallStatus::failed};
  if (status == fmi2_discard) {
    end = {.status = CallStatus::discard, .reached_s = time_s};
    if (p.f.get_real_status != nullptr) {
      p.f.get_real_status(p.component, fmi2_last_successful_time, &end.reached_s);
    }
    fmi2_boolean terminated = fmi2_false;
    if (p.f.get_boolean_status != nullptr) {
      p.f.get_boolean_status(p.component, fmi2_terminated, &terminated);
    }
    end.terminated = terminated != fmi2_false;
  }
  return end;
}

void Fmi2Instance::set_input_derivatives(std::span<const std::uint32_t> references,
                                         std::span<const int> orders,
                                         std::span<const double> values) {
  auto& p = *parts_;
  p.require(p.f.set_input_derivatives(p.component, references.data(), references.size(),
                                      orders.data(), values.data()),
            "fmi2SetRealInputDerivatives");
}

void Fmi2Instance::enter_event_mode() {
  auto& p = *parts_;
  p.require(p.f.enter_event_mode(p.component), "fmi2EnterEventMode");
}

EventOutcome Fmi2Instance::update_discrete_states() {
  auto& p = *parts_;
  fmi2_event_info info{};
  p.require(p.f.new_discrete_states(p.component, &info), "fmi2NewDiscreteStates");
  restore_floating_point_mode();
  EventOutcome outcome{.again = info.new_discrete_states_needed != fmi2_false,
                       .terminated = info.terminate_simulation != fmi2_false,
                       .states_changed = info.values_of_continuous_states_changed != fmi2_false};
  if (info.next_event_time_defined != fmi2_false) {
    outcome.next_event_s = info.next_event_time;
  }
  return outcome;
}

void Fmi2Instance::enter_continuous_time() {
  auto& p = *parts_;
  p.require(p.f.enter_continuous_time(p.component), "fmi2EnterContinuousTimeMode");
}

void Fmi2Instance::set_time(double time_s) {
  auto& p = *parts_;
  p.require(p.f.set_time(p.component, time_s), "fmi2SetTime");
}

void Fmi2Instance::set_states(std::span<const double> x) {
  auto& p = *parts_;
  p.require(p.f.set_states(p.component, x.data(), x.size()), "fmi2SetContinuousStates");
}

void Fmi2Instance::get_states(std::span<double> x) {
  auto& p = *parts_;
  p.require(p.f.get_states(p.component, x.data(), x.size()), "fmi2GetContinuousStates");
}

void Fmi2Instance::get_nominals(std::span<double> x) {
  auto& p = *parts_;
  p.require(p.f.get_nominals(p.component, x.data(), x.size()), "fmi2GetNominalsOfContinuousStates");
}

CallStatus Fmi2Instance::get_derivatives(std::span<double> rate) {
  auto& p = *parts_;
  const auto status = p.f.get_derivatives(p.component, rate.data(), rate.size());
  restore_floating_point_mode();
  if (status == fmi2_discard) {
    return CallStatus::discard;
  }
  p.require(status, "fmi2GetDerivatives");
  return CallStatus::ok;
}

void Fmi2Instance::get_event_indicators(std::span<double> z) {
  auto& p = *parts_;
  p.require(p.f.get_event_indicators(p.component, z.data(), z.size()), "fmi2GetEventIndicators");
  restore_floating_point_mode();
}

bool Fmi2Instance::completed_step() {
  auto& p = *parts_;
  fmi2_boolean enter_event_mode = fmi2_false;
  fmi2_boolean terminate = fmi2_false;
  p.require(p.f.completed_step(p.component, fmi2_true, &enter_event_mode, &terminate),
            "fmi2CompletedIntegratorStep");
  restore_floating_point_mode();
  if (terminate != fmi2_false) {
    throw SubsystemFailed("FMU '" + p.name + "' asked to end the simulation" + p.log.tail());
  }
  return enter_event_mode != fmi2_false;
}

}  // namespace macrostep::models::fmi
