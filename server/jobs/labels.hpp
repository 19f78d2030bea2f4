// What a user writes on a search: note, tags and priority. Members of a job that say nothing of
// what it computes, hence no part of its normal form; also what a change of a search may hold.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/field_error.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

inline constexpr std::size_t max_note_chars = 4000;
inline constexpr std::size_t max_tags = 20;
inline constexpr std::size_t max_tag_chars = 50;
inline constexpr int max_priority = 100;  ///< and the smallest is as far below 0

struct SearchLabels {
  std::string note;
  std::vector<std::string> tags;  ///< in order, no two alike
  int priority = 0;

  bool operator==(const SearchLabels&) const = default;
};

std::optional<std::string> read_note(const Value& value);
std::optional<std::vector<std::string>> read_tags(const Value& value);
std::optional<int> read_priority(const Value& value);

/// Those of a job.
void read_labels(Members& members, SearchLabels& labels);

/// The labels of a job that read_job() accepts.
SearchLabels labels_of(const nlohmann::json& job);

/// Their names and values, as a job has them.
nlohmann::ordered_json labels_json(const SearchLabels& labels);

/// Takes them, and the choice of an executor, out of a job that is no search, where each of them is
/// a mistake.
engine::FieldErrors refuse_labels(nlohmann::json& job);

}  // namespace macrostep::server::json
