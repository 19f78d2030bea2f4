// Names of the entries of an archive: which may become files below a directory of ours.
//
// Names are compared byte for byte, as this platform's file systems do: "A" and "a" are two files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

namespace macrostep::models::fmi {

/// Why a name may not be used; empty if it may. A name that ends in "/" is a directory's.
std::string name_refusal(std::string_view name);

/// The names of one archive, told one after another.
class EntryNames {
 public:
  /// Throws FmuRefused for a name that may not be used, is given twice, or is a file's and a
  /// directory's at once.
  void add(std::string_view name);

  bool has_file(std::string_view name) const { return files_.contains(std::string(name)); }
  const std::unordered_set<std::string>& files() const { return files_; }

 private:
  std::unordered_set<std::string> files_;
  std::unordered_set<std::string> directories_;        // with all above them
  std::unordered_set<std::string> named_directories_;  // with an entry of their own
};

}  // namespace macrostep::models::fmi
