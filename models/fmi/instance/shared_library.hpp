// The shared library of an FMU, loaded into this process.
//
// Foreign code: only a process that has said so with permit_loading() may load any, and a library
// once loaded stays until the process ends, as many do not survive being unloaded.
#pragma once

#include <filesystem>
#include <string>

namespace macrostep::models::fmi {

class SharedLibrary {
 public:
  /// Throws FmuRefused with the loader's reason.
  explicit SharedLibrary(const std::filesystem::path& file);

  /// Null if the library has no such function.
  void* find(const std::string& function) const;

  /// Throws FmuRefused naming the function if there is none.
  template <class Function>
  void load(Function*& target, const std::string& function) const {
    target = reinterpret_cast<Function*>(require(function));
  }
  /// Null if there is none.
  template <class Function>
  void load_if_there(Function*& target, const std::string& function) const {
    target = reinterpret_cast<Function*>(find(function));
  }

 private:
  void* require(const std::string& function) const;

  void* handle_ = nullptr;
  std::string file_;
};

}  // namespace macrostep::models::fmi
