// What the store keeps of an FMU. The archive itself lies in a directory of its own, named by its
// hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace macrostep::db {

struct FmuRow {
  std::string sha256 = {};
  std::string file_name = {};  // as the one who uploaded it called it
  std::string model_name = {};
  std::string fmi_version = {};
  std::string interfaces = "[]";  // JSON: co_simulation, model_exchange
  std::int64_t size_bytes = 0;    // of the archive
  std::string uploaded_at = {};
};

/// What an FMU must have to be listed; by default nothing.
struct FmuQuery {
  std::optional<std::string> name_part = {};  // of the file's or the model's; ASCII in either case
};

enum class FmuRemoval { done, unknown, in_use };

}  // namespace macrostep::db
