// Which pointers the callbacks of FMUs may follow: the environments of the living instances.
//
// An FMU is given an environment when it is instantiated, and has to hand it to every callback.
// Some hand over another one: a constant, or that of an instance that is gone. Every instance
// registers its environment for as long as it lives, and every callback asks before it follows a
// pointer. FMUs log from threads of their own: all functions may be called from any thread.
// Asking takes a shared lock and allocates nothing, as intermediate updates come in every step.
#pragma once

#include <functional>

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

/// Whether this is the environment of a living instance; a null pointer never is.
bool is_known(const void* environment);

/// Calls the function if this is the environment of a living instance, which lives on until the
/// function has returned. It must neither make nor destroy an instance.
void with_known(const void* environment, const std::function<void()>& function);

}  // namespace macrostep::models::fmi
