// What is known of FMUs in the file. Each function does within a statement or the caller's
// transaction what the member of Store of its name promises (store.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/fmu_rows.hpp"
#include "db/rows/rows.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

/// Error(unknown_fmu) if one of them is not stored.
void require_fmus(Connection& connection, std::span<const std::string> fmus);

bool add_fmu(Connection& connection, const FmuRow& fmu);
bool delete_fmu(Connection& connection, std::string_view sha256);
FmuRemoval delete_unused_fmu(Connection& connection, std::string_view sha256);
std::optional<FmuRow> get_fmu(Connection& connection, std::string_view sha256);
Page<FmuRow> list_fmus(Connection& connection, std::int64_t limit,
                       const std::optional<std::string>& after, const FmuQuery& query);
std::vector<FmuRow> fmus_named(Connection& connection, std::string_view name, std::int64_t limit);

}  // namespace macrostep::db
