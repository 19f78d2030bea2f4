#include "models/fmi/instance/shared_library.hpp"

#include <dlfcn.h>

#include <string>
#include <string_view>

#include "models/fmi/instance/permit_loading.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::models::fmi {

namespace {

/// Where an FMU finds what its library needs, where the loader has not found it; else empty.
std::string where_libraries_are(std::string_view why) {
  return why.find("cannot open shared object file") == why.npos
             ? ""
             : "; FMUs find libraries in /usr and /lib of this machine, and in their own archive "
               "by "
               "a RUNPATH of the library such as $ORIGIN or $ORIGIN/../../resources";
}

}  // namespace

SharedLibrary::SharedLibrary(const std::filesystem::path& file) : file_(file.filename().string()) {
  ensure(loading_permitted(), "foreign code is loaded only where it was permitted");
  // All symbols now: a missing one is found here, and not in the middle of a trial. dlopen counts
  // its calls for one file and returns the same handle.
  handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const char* why = dlerror();
    throw FmuRefused("the library " + file_ + " cannot be loaded: " +
                     (why == nullptr ? "unknown reason" : why + where_libraries_are(why)));
  }
}

void* SharedLibrary::find(const std::string& function) const {
  return dlsym(handle_, function.c_str());
}

void* SharedLibrary::require(const std::string& function) const {
  void* found = find(function);
  if (found == nullptr) {
    throw FmuRefused("the library " + file_ + " lacks the function " + function);
  }
  return found;
}

}  // namespace macrostep::models::fmi
