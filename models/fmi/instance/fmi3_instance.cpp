#include "models/fmi/instance/fmi3_instance.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <exception>
#include <limits>
#include <utility>
#include <vector>

#include "models/fmi/instance/callback_environments.hpp"
#include "models/fmi/instance/floating_point_mode.hpp"
#include "models/fmi/instance/fmi3_functions.hpp"
#include "models/fmi/instance/fmu_log.hpp"
#include "models/fmi/instance/resource_path.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr std::array status_names{"OK", "Warning", "Discard", "Error", "Fatal"};

/// Early returns within one step before it counts as stuck.
constexpr int max_early_returns = 10'000;
/// Less than this share of a step is its end, rounded.
constexpr double rest_share = 1e-12;
/// Steps of the discrete states before an event counts as endless.
constexpr int max_event_iterations = 1000;
constexpr double never_s = std::numeric_limits<double>::infinity();

const char* name_of_status(fmi3_status status) {
  const auto i = static_cast<std::size_t>(status);
  return i < status_names.size() ? status_names[i] : "a status unknown to FMI 3.0";
}

}  // namespace

struct Fmi3Instance::Parts {
  Parts(const Fmu& fmu, InterfaceKind kind, std::string instance_name, const StepServices& services)
      : name(std::move(instance_name)),
        update_inputs(services.update_inputs),
        event_mode(services.event_mode),
        library(library_of(fmu, kind)),
        f(load_fmi3_functions(library, interface_of(fmu, kind), kind)) {
    const std::string resources = resource_directory(fmu.directory);
    const char* const token = fmu.description.token.c_str();
    if (kind == InterfaceKind::co_simulation) {
      instance = f.instantiate_co_simulation(
          name.c_str(), token, resources.c_str(), /*visible=*/false, /*logging_on=*/false,
          /*event_mode_used=*/event_mode, /*early_return_allowed=*/event_mode,
          services.updated_inputs.data(), services.updated_inputs.size(), this, &log_message,
          update_inputs ? &intermediate_update : nullptr);
    } else {
      instance =
          f.instantiate_model_exchange(name.c_str(), token, resources.c_str(),
                                       /*visible=*/false, /*logging_on=*/false, this, &log_message);
    }
    if (instance == nullptr) {
      throw SubsystemFailed("FMU '" + name + "': fmi3Instantiate gave no instance" + log.tail());
    }
    std::fesetenv(FE_DFL_ENV);  // loading a library may change it
    ask_for_errors(error_categories(fmu.description));
  }
  ~Parts() {
    if (instance != nullptr && !fatal) {
      if (saved != nullptr) {
        f.free_state(instance, &saved);
      }
      f.free_instance(instance);
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
    const auto status = f.set_debug_logging(instance, true, categories.size(), categories.data());
    if (status == fmi3_fatal) {
      require(status, "fmi3SetDebugLogging");
    }
  }

  /// A message with an unknown environment is ignored, as nobody knows which instance it is of.
  static void log_message(fmi3_instance_environment self, fmi3_status status, fmi3_string,
                          fmi3_string message) {
    if (status != fmi3_ok) {
      with_known(self, [&] { static_cast<Parts*>(self)->log.add(message); });
    }
  }

  static void intermediate_update(fmi3_instance_environment self, double time_s, bool set_requested,
                                  bool, bool, bool, bool* early_return, double*) {
    if (early_return != nullptr) {
      *early_return = false;
    }
    if (!set_requested || !is_known(self)) {
      return;
    }
    auto& parts = *static_cast<Parts*>(self);
    if (parts.update_failure) {
      return;
    }
    try {  // no exception may pass through the FMU's code
      parts.update_inputs(time_s);
    } catch (...) {
      parts.update_failure = std::current_exception();
    }
  }

  /// False if the status is neither OK nor Warning; `failure` says which then.
  bool fine(fmi3_status status, const char* function) {
    if (status == fmi3_ok || status == fmi3_warning) [[likely]] {
      return true;
    }
    fatal = fatal || status == fmi3_fatal;
    failure =
        "FMU '" + name + "': " + function + " returned " + name_of_status(status) + log.tail();
    return false;
  }
  void require(fmi3_status status, const char* function) {
    if (!fine(status, function)) [[unlikely]] {
      throw SubsystemFailed(failure);
    }
  }

  template <class T>
  void get(const Fmi3Access<T>& access, NumberGroup& group, std::span<double> values) {
    const auto count = group.references.size();
    require(access.get(instance, group.references.data(), count,
                       reinterpret_cast<T*>(group.buffer.data()), count),
            access.get_name);
    read_buffer<T>(group, values);
  }
  template <class T>
  void set(const Fmi3Access<T>& access, NumberGroup& group, std::span<const double> values) {
    const auto count = group.references.size();
    write_buffer<T>(group, values);
    require(access.set(instance, group.references.data(), count,
                       reinterpret_cast<const T*>(group.buffer.data()), count),
            access.set_name);
  }

  EventOutcome update_discrete_states() {
    EventOutcome outcome;
    bool nominals_changed = false;
    bool next_event = false;
    double next_s = 0;
    require(
        f.update_discrete_states(instance, &outcome.again, &outcome.terminated, &nominals_changed,
                                 &outcome.states_changed, &next_event, &next_s),
        "fmi3UpdateDiscreteStates");
    restore_floating_point_mode();
    if (next_event) {
      outcome.next_event_s = next_s;
    }
    return outcome;
  }

  /// From event mode to step mode.
  void end_event() {
    EventOutcome outcome;
    int iterations = 0;
    do {
      if (++iterations > max_event_iterations) {
        throw SubsystemFailed("FMU '" + name + "': its discrete states do not settle" + log.tail());
      }
      outcome = update_discrete_states();
      if (outcome.terminated) {
        throw SubsystemFailed("FMU '" + name + "' asked to end the simulation");
      }
    } while (outcome.again);
    next_event_s = outcome.next_event_s.value_or(never_s);
    require(f.enter_step_mode(instance), "fmi3EnterStepMode");
  }

  std::string name;
  FmuLog log;
  CallbackEnvironment environment{this};
  std::function<void(double)> update_inputs;
  bool event_mode = false;  ///< of co-simulation
  double next_event_s = never_s;
  double saved_next_event_s = never_s;
  std::exception_ptr update_failure;
  SharedLibrary library;
  Fmi3Functions f;
  fmi3_instance instance = nullptr;
  fmi3_fmu_state saved = nullptr;
  bool fatal = false;
  std::string failure;
};

Fmi3Instance::Fmi3Instance(const Fmu& fmu, InterfaceKind kind, const std::string& name,
                           const StepServices& services)
    : parts_(std::make_unique<Parts>(fmu, kind, name, services)) {}

Fmi3Instance::~Fmi3Instance() = default;

const std::string& Fmi3Instance::failure() const {
  return parts_->failure;
}

void Fmi3Instance::enter_initialization(double start_s) {
  auto& p = *parts_;
  p.require(p.f.enter_initialization(p.instance, false, 0, start_s, false, 0),
            "fmi3EnterInitializationMode");
}

void Fmi3Instance::exit_initialization() {
  auto& p = *parts_;
  p.require(p.f.exit_initialization(p.instance), "fmi3ExitInitializationMode");
  restore_floating_point_mode();
  if (p.event_mode) {
    p.end_event();
  }
}

void Fmi3Instance::get(NumberList& list, std::span<double> values) {
  auto& p = *parts_;
  if (list.plain && !list.groups.empty()) {
    const auto& references = list.groups.front().references;
    p.require(p.f.float64.get(p.instance, references.data(), references.size(), values.data(),
                              values.size()),
              "fmi3GetFloat64");
  } else {
    for (auto& group : list.groups) {
      p.f.visit(group.type, [&](const auto& access) { p.get(access, group, values); });
    }
  }
  restore_floating_point_mode();
}

void Fmi3Instance::set(NumberList& list, std::span<const double> values) {
  auto& p = *parts_;
  if (list.plain && !list.groups.empty()) {
    const auto& references = list.groups.front().references;
    p.require(p.f.float64.set(p.instance, references.data(), references.size(), values.data(),
                              values.size()),
              "fmi3SetFloat64");
    return;
  }
  for (auto& group : list.groups) {
    p.f.visit(group.type, [&](const auto& access) { p.set(access, group, values); });
  }
}

void Fmi3Instance::set_text(std::uint32_t reference, const std::string& text) {
  auto& p = *parts_;
  const fmi3_string value = text.c_str();
  p.require(p.f.set_string(p.instance, &reference, 1, &value, 1), "fmi3SetString");
}

void Fmi3Instance::directional_derivative(std::span<const std::uint32_t> unknowns,
                                          std::uint32_t known, std::span<double> sensitivity) {
  auto& p = *parts_;
  const double seed = 1;
  p.require(p.f.directional_derivative(p.instance, unknowns.data(), unknowns.size(), &known, 1,
                                       &seed, 1, sensitivity.data(), sensitivity.size()),
            "fmi3GetDirectionalDerivative");
  restore_floating_point_mode();
}

void Fmi3Instance::save() {
  auto& p = *parts_;
  p.require(p.f.get_state(p.instance, &p.saved), "fmi3GetFMUState");
  p.saved_next_event_s = p.next_event_s;
}

void Fmi3Instance::restore() {
  auto& p = *parts_;
  p.require(p.f.set_state(p.instance, p.saved), "fmi3SetFMUState");
  p.next_event_s = p.saved_next_event_s;
}

DoStepEnd Fmi3Instance::do_step(double time_s, double size_s) {
  auto& p = *parts_;
  const CalledEnvironment called(&p);
  const double end_s = time_s + size_s;
  double begin_s = time_s;
  for (int returns = 0; returns < max_early_returns; ++returns) {
    bool event = false;
    bool terminate = false;
    bool early = false;
    double reached_s = begin_s;
    // The FMU may not step across an event that it has named.
    const bool until_event =
        p.next_event_s > begin_s && p.next_event_s < end_s - rest_share * size_s;
    const double until_s = until_event ? p.next_event_s : end_s;
    const double rest_s = returns == 0 && !until_event ? size_s : until_s - begin_s;
    const auto status = p.f.do_step(p.instance, begin_s, rest_s, p.saved == nullptr, &event,
                                    &terminate, &early, &reached_s);
    restore_floating_point_mode();
    if (p.update_failure) {
      std::rethrow_exception(std::exchange(p.update_failure, nullptr));
    }
    if (!p.fine(status, "fmi3DoStep")) {
      return {.status = status == fmi3_discard ? CallStatus::discard : CallStatus::failed,
              .reached_s = reached_s,
              .terminated = terminate};
    }
    if (terminate) {
      return {.status = CallStatus::discard, .reached_s = reached_s, .terminated = true};
    }
    const double now_s = early ? reached_s : until_s;
    if (p.event_mode && (event || now_s >= p.next_event_s)) {
      enter_event_mode();
      p.end_event();
    }
    if (end_s - now_s <= rest_share * size_s) {
      return {};
    }
    begin_s = now_s;
  }
  p.failure = "FMU '" + p.name + "': fmi3DoStep returned early without end";
  return {.status = CallStatus::failed};
}

void Fmi3Instance::set_input_derivatives(std::span<const std::uint32_t>, std::span<const int>,
                                         std::span<const double>) {
  throw SubsystemFailed("FMI 3.0 knows no derivatives of inputs");
}

void Fmi3Instance::enter_event_mode() {
  auto& p = *parts_;
  p.require(p.f.enter_event_mode(p.instance), "fmi3EnterEventMode");
}

EventOutcome Fmi3Instance::update_discrete_states() {
  return parts_->update_discrete_states();
}

void Fmi3Instance::enter_continuous_time() {
  auto& p = *parts_;
  p.require(p.f.enter_continuous_time(p.instance), "fmi3EnterContinuousTimeMode");
}

void Fmi3Instance::set_time(double time_s) {
  auto& p = *parts_;
  p.require(p.f.set_time(p.instance, time_s), "fmi3SetTime");
}

void Fmi3Instance::set_states(std::span<const double> x) {
  auto& p = *parts_;
  p.require(p.f.set_states(p.instance, x.data(), x.size()), "fmi3SetContinuousStates");
}

void Fmi3Instance::get_states(std::span<double> x) {
  auto& p = *parts_;
  p.require(p.f.get_states(p.instance, x.data(), x.size()), "fmi3GetContinuousStates");
}

void Fmi3Instance::get_nominals(std::span<double> x) {
  auto& p = *parts_;
  p.require(p.f.get_nominals(p.instance, x.data(), x.size()), "fmi3GetNominalsOfContinuousStates");
}

CallStatus Fmi3Instance::get_derivatives(std::span<double> rate) {
  auto& p = *parts_;
  const auto status = p.f.get_derivatives(p.instance, rate.data(), rate.size());
  restore_floating_point_mode();
  if (status == fmi3_discard) {
    return CallStatus::discard;
  }
  p.require(status, "fmi3GetContinuousStateDerivatives");
  return CallStatus::ok;
}

void Fmi3Instance::get_event_indicators(std::span<double> z) {
  auto& p = *parts_;
  p.require(p.f.get_event_indicators(p.instance, z.data(), z.size()), "fmi3GetEventIndicators");
  restore_floating_point_mode();
}

bool Fmi3Instance::completed_step() {
  auto& p = *parts_;
  bool enter_event_mode = false;
  bool terminate = false;
  p.require(p.f.completed_step(p.instance, true, &enter_event_mode, &terminate),
            "fmi3CompletedIntegratorStep");
  restore_floating_point_mode();
  if (terminate) {
    throw SubsystemFailed("FMU '" + p.name + "' asked to end the simulation" + p.log.tail());
  }
  return enter_event_mode;
}

}  // namespace macrostep::models::fmi
