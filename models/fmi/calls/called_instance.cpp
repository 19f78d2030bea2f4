#include "models/fmi/calls/called_instance.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "models/fmi/instance/fmi3.h"
#include "models/fmi/instance/resource_path.hpp"

namespace macrostep::models::fmi::calls {

namespace {

constexpr const char* instance_name = "validated";

void* allocate(size_t count, size_t size) {
  return std::calloc(count, size);
}

void release(void* memory) {
  std::free(memory);
}

/// Into the open session, whichever environment it comes with.
void take_message(const void* environment, Answer status, const char* category, const char* text) {
  Session::with_open([&](Session& session) {
    try {
      if (!is_known(environment)) {
        session.log.wrong_environment("the logger");
      }
      session.log.message(status, category, text);
    } catch (...) {
      session.log.keep(std::current_exception());
    }
  });
}

void log_fmi2(void* environment, const char*, fmi2_status status, const char* category,
              const char* format, ...) {
  std::array<char, max_message_length + 1> text{};
  if (format != nullptr) {
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text.data(), text.size(), format, arguments);
    va_end(arguments);
  }
  take_message(environment, answer_of(status, Version::fmi2), category, text.data());
}

void log_fmi3(fmi3_instance_environment environment, fmi3_status status, fmi3_string category,
              fmi3_string message) {
  take_message(environment, answer_of(status, Version::fmi3), category, message);
}

/// Whether to return early; false for an unknown environment.
bool take_update(void* environment, const Update& update) {
  bool early = false;
  Session::with_open([&](Session& session) {
    try {
      if (is_known(environment)) {
        early = static_cast<CalledInstance*>(environment)->update(update);
      } else {
        session.log.wrong_environment("the intermediate update");
      }
    } catch (...) {
      session.log.keep(std::current_exception());
    }
  });
  return early;
}

void update_fmi3(fmi3_instance_environment environment, double time_s, bool may_set, bool may_get,
                 bool finished, bool may_return, bool* wants_return, double* return_time_s) {
  const bool early = take_update(environment, {time_s, may_set, may_get, finished, may_return});
  if (wants_return != nullptr) {
    *wants_return = early;
  }
  if (early && return_time_s != nullptr) {
    *return_time_s = time_s;
  }
}

}  // namespace

Answer answer_of(int status, Version version) {
  constexpr int pending = 5;
  if (status < 0 || status > pending || (status == pending && version == Version::fmi3)) {
    return Answer::unknown;
  }
  return static_cast<Answer>(status);
}

CalledInstance::CalledInstance(Session& session, InstanceOptions options)
    : session_(session),
      options_(std::move(options)),
      resources_(is_fmi2() ? resource_uri(session.fmu.directory)
                           : resource_directory(session.fmu.directory)) {
  options_.event_mode = options_.event_mode || session.needs_event_mode;
  if (is_fmi2()) {
    instantiate_fmi2();
  } else {
    instantiate_fmi3();
  }
  session_.log.end();
  if (instance_ == nullptr) {
    session_.log.error(no_instance + session_.log.tail());
    throw SequenceEnded();
  }
}

CalledInstance::~CalledInstance() {
  const char* const name = is_fmi2() ? "fmi2FreeInstance" : "fmi3FreeInstance";
  auto* const free = reinterpret_cast<void (*)(void*)>(session_.library.find(name));
  if (instance_ == nullptr || session_.fatal || free == nullptr) {
    return;
  }
  try {
    session_.log.begin(name);
    free(instance_);
    session_.log.end();
  } catch (...) {
    session_.log.keep(std::current_exception());
  }
}

void CalledInstance::instantiate_fmi2() {
  constexpr const char* name = "fmi2Instantiate";
  auto* const function = reinterpret_cast<fmi2_instantiate_function*>(session_.library.find(name));
  if (function == nullptr) {
    session_.log.error_of(name, "is not exported by the library");
    throw SequenceEnded();
  }
  callbacks_ = {&log_fmi2, &allocate, &release, nullptr, this};
  session_.log.begin(name);
  instance_ = function(instance_name,
                       session_.is_co_simulation() ? fmi2_co_simulation : fmi2_model_exchange,
                       session_.fmu.description.token.c_str(), resources_.c_str(), &callbacks_,
                       fmi2_false, options_.logging ? fmi2_true : fmi2_false);
}

void CalledInstance::instantiate_fmi3() {
  const char* const name =
      session_.is_co_simulation() ? "fmi3InstantiateCoSimulation" : "fmi3InstantiateModelExchange";
  void* const found = session_.library.find(name);
  if (found == nullptr) {
    session_.log.error_of(name, "is not exported by the library");
    throw SequenceEnded();
  }
  const char* const token = session_.fmu.description.token.c_str();
  session_.log.begin(name);
  if (!session_.is_co_simulation()) {
    instance_ = reinterpret_cast<fmi3_instantiate_model_exchange_function*>(found)(
        instance_name, token, resources_.c_str(), /*visible=*/false, options_.logging, this,
        &log_fmi3);
    return;
  }
  instance_ = reinterpret_cast<fmi3_instantiate_co_simulation_function*>(found)(
      instance_name, token, resources_.c_str(), /*visible=*/false, options_.logging,
      options_.event_mode, options_.early_return, options_.updated.data(), options_.updated.size(),
      this, &log_fmi3, options_.update ? &update_fmi3 : nullptr);
}

void CalledInstance::set_debug_logging(bool on, const std::vector<std::string>& categories) {
  std::vector<const char*> names;
  for (const auto& category : categories) {
    names.push_back(category.c_str());
  }
  const auto answer = is_fmi2() ? begin_call<fmi2_set_debug_logging_function>(
                                      "fmi2SetDebugLogging", on ? fmi2_true : fmi2_false,
                                      names.size(), names.data())
                                : begin_call<fmi3_set_debug_logging_function>(
                                      "fmi3SetDebugLogging", on, names.size(), names.data());
  const bool has_none = session_.fmu.description.log_categories.empty();
  session_.log.end(answer, Discard::wrong, has_none ? Severity::warning : Severity::error);
}

void CalledInstance::enter_initialization(double start_s, std::optional<double> stop_s,
                                          std::optional<double> tolerance) {
  const double stop = stop_s.value_or(0);
  const double accuracy = tolerance.value_or(0);
  if (is_fmi2()) {
    call<fmi2_setup_experiment_function>("fmi2SetupExperiment", Discard::wrong, tolerance ? 1 : 0,
                                         accuracy, start_s, stop_s ? 1 : 0, stop);
    call<fmi2_enter_initialization_mode_function>("fmi2EnterInitializationMode", Discard::wrong);
  } else {
    call<fmi3_enter_initialization_mode_function>("fmi3EnterInitializationMode", Discard::wrong,
                                                  tolerance.has_value(), accuracy, start_s,
                                                  stop_s.has_value(), stop);
  }
}

void CalledInstance::exit_initialization() {
  call<int(void*)>(is_fmi2() ? "fmi2ExitInitializationMode" : "fmi3ExitInitializationMode",
                   Discard::wrong);
}

void CalledInstance::terminate() {
  call<int(void*)>(is_fmi2() ? "fmi2Terminate" : "fmi3Terminate", Discard::wrong);
}

void CalledInstance::reset() {
  call<int(void*)>(is_fmi2() ? "fmi2Reset" : "fmi3Reset", Discard::wrong);
}

}  // namespace macrostep::models::fmi::calls
