// What the store keeps of an FMU. The archive itself lies in a directory of its own, named by its
// hash.
#pragma once

#include <cstdint>
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

enum class FmuRemoval { done, unknown, in_use };

}  // namespace macrostep::db
