// Which pointers the callbacks of FMUs may follow: the environments of the living instances.
//
// An FMU is given an environment when it is instantiated, and has to hand it to every callback.
// Some hand over another one: a constant, or that of an instance that is gone. Every instance
// registers its environment for as long as it lives, and every callback asks before it follows a
// pointer. FMUs log from threads of their own: all functions may be called from any thread.
// Asking takes a shared lock and allocates nothing; of the instance that this thread is calling not
// even a lock, as intermediate updates come many times in a step.
#pragma once

#include <functional>
#include <utility>

namespace macrostep::models::fmi {

/// Registers an environment from construction to destruction.
class CallbackEnvironment {
 public:
  explicit CallbackEnvironment(const void* environment);
  ~CallbackEnvironment();
  CallbackEnvironment(const CallbackEnvironment&) = delete;
  CallbackEnvironment& operator=(const CallbackEnvironment&) = delete;

 private:
  const void* environment_;
};

/// The environment of the instance that this thread is calling, or null.
extern constinit thread_local const void* called_environment;

/// While it lives this thread calls an instance, which must live as long.
class CalledEnvironment {
 public:
  explicit CalledEnvironment(const void* environment)
      : outer_(std::exchange(called_environment, environment)) {}
  ~CalledEnvironment() { called_environment = outer_; }
  CalledEnvironment(const CalledEnvironment&) = delete;
  CalledEnvironment& operator=(const CalledEnvironment&) = delete;

 private:
  const void* outer_;
};

/// Whether this is registered.
bool is_registered(const void* environment);

/// Whether this is the environment of a living instance; a null pointer never is.
inline bool is_known(const void* environment) {
  return environment != nullptr &&
         (environment == called_environment || is_registered(environment));
}

/// Calls the function if this is the environment of a living instance, which lives on until the
/// function has returned. It must neither make nor destroy an instance.
void with_known(const void* environment, const std::function<void()>& function);

}  // namespace macrostep::models::fmi
