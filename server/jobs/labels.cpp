#include "server/jobs/labels.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "engine/base/text.hpp"

namespace macrostep::server::json {

namespace {

/// U+0000 to U+001F but for `allowed`, U+007F, and U+0080 to U+009F, which are C2 80 to C2 9F.
bool has_control_characters(std::string_view text, std::string_view allowed) {
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte != 0x7F && !(before == 0xC2 && byte < 0xA0);
    if (!plain && allowed.find(c) == std::string_view::npos) {
      return true;
    }
    before = byte;
  }
  return false;
}

std::optional<std::string> read_tag(const Value& value) {
  auto tag = value.text();
  if (!tag) {
    return std::nullopt;
  }
  if (const auto size = engine::character_count(*tag); size == 0 || size > max_tag_chars) {
    value.fail("must have 1 to " + std::to_string(max_tag_chars) + " characters");
  } else if (has_control_characters(*tag, "") || tag->find(',') != std::string::npos) {
    value.fail("must not contain commas, line breaks or other control characters");
  } else {
    return tag;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_note(const Value& value) {
  auto note = value.text();
  if (!note) {
    return std::nullopt;
  }
  if (engine::character_count(*note) > max_note_chars) {
    value.fail("must not be longer than " + std::to_string(max_note_chars) + " characters");
  } else if (has_control_characters(*note, "\n\r\t")) {
    value.fail("must not contain control characters but line breaks and tabs");
  } else {
    return note;
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> read_tags(const Value& value) {
  const auto elements = value.elements();
  if (!value.json().is_array()) {
    return std::nullopt;  // reported
  }
  if (elements.size() > max_tags) {
    value.fail("must have at most " + std::to_string(max_tags) + " tags");
    return std::nullopt;
  }
  std::vector<std::string> tags;
  for (const auto& element : elements) {
    const auto tag = read_tag(element);
    if (tag && std::ranges::find(tags, *tag) != tags.end()) {
      element.fail("is there twice");
    } else if (tag) {
      tags.push_back(*tag);
    }
  }
  std::ranges::sort(tags);
  return tags.size() == elements.size() ? std::optional(std::move(tags)) : std::nullopt;
}

std::optional<int> read_priority(const Value& value) {
  return value.integer(-max_priority, max_priority);
}

void read_labels(Members& members, SearchLabels& labels) {
  read_member(members, "note", labels.note, read_note);
  read_member(members, "tags", labels.tags, read_tags);
  read_member(members, "priority", labels.priority, read_priority);
}

SearchLabels labels_of(const nlohmann::json& job) {
  Errors errors;
  SearchLabels labels;
  Members members(Value(job, "", errors));
  members.ignore_others();
  read_labels(members, labels);
  return labels;
}

nlohmann::ordered_json labels_json(const SearchLabels& labels) {
  return {{"note", labels.note}, {"tags", labels.tags}, {"priority", labels.priority}};
}

engine::FieldErrors refuse_labels(nlohmann::json& job) {
  engine::FieldErrors errors;
  for (const std::string name : {"note", "tags", "priority", "executor"}) {
    if (job.is_object() && job.erase(name) > 0) {
      errors.push_back({"/" + name, "is of searches only"});
    }
  }
  return errors;
}

}  // namespace macrostep::server::json
