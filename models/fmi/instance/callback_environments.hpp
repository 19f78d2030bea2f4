// Which pointers the callbacks of FMUs may follow: the environments of the living instances.
//
// An FMU is given an environment when it is instantiated, and has to hand it to every callback.
// Some hand over another one: a constant, or that of an instance that is gone. Every instance
// registers its environment for as long as it lives, and every callback asks before it follows a
// pointer. FMUs log from threads of their own: all functions may be called from any thread.
// Asking takes a shared lock and allocates nothing; not even a lock where the environment is that
// of the instance of FMI 3.0 whose step this thread is in, as intermediate updates come many times
// in it.
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

/// While it lives this thread is in a step of the instance with this environment, which must live
/// as long.
class CalledEnvironment {
 public:
  explicit CalledEnvironment(const void* environment)
      : outer_(std::exchange(innermost_, environment)) {}
  ~CalledEnvironment() { innermost_ = outer_; }
  CalledEnvironment(const CalledEnvironment&) = delete;
  CalledEnvironment& operator=(const CalledEnvironment&) = delete;

 private:
  friend bool is_known(const void* environment);

  static constinit thread_local const void* innermost_;
  const void* outer_;
};

/// Whether this is registered.
bool is_registered(const void* environment);

/// Whether this is registered or the one of the step that this thread is in: the environment of a
/// living instance either way. A null pointer never is.
inline bool is_known(const void* environment) {
  return environment != nullptr &&
         (environment == CalledEnvironment::innermost_ || is_registered(environment));
}

/// Calls the function if this is the environment of a living instance, which lives on until the
/// function has returned. It must neither make nor destroy an instance.
void with_known(const void* environment, const std::function<void()>& function);

}  // namespace macrostep::models::fmi
