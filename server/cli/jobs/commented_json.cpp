#include "server/cli/jobs/commented_json.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t comment_width = 100;
constexpr std::size_t indentation = 2;

class Writer {
 public:
  explicit Writer(std::string_view openapi) : openapi_(Json::parse(openapi)) {}

  const Json& schema_named(const std::string& name) const {
    return openapi_.at("components").at("schemas").at(name);
  }

  void write(const Json& value, const Json& schema, std::size_t indent) {
    if (!value.is_object() || value.empty() || property(schema, value.begin().key()) == nullptr) {
      text_ += plain(value, indent);
      return;
    }
    text_ += "{\n";
    bool is_first = true;
    for (const auto& [name, member] : value.items()) {
      text_ += is_first ? "" : ",\n";
      is_first = false;
      const Json* own = property(schema, name);
      if (own != nullptr) {
        comment(description(*own), indent + indentation);
      }
      text_ += std::string(indent + indentation, ' ') + Json(name).dump() + ": ";
      write(member, own != nullptr ? *own : Json(), indent + indentation);
    }
    text_ += "\n" + std::string(indent, ' ') + "}";
  }

  std::string take() && { return std::move(text_) + "\n"; }

 private:
  const Json& resolved(const Json& schema) const {
    if (!schema.is_object() || !schema.contains("$ref")) {
      return schema;
    }
    const auto pointer = schema.at("$ref").get<std::string>().substr(1);
    return resolved(openapi_.at(Json::json_pointer(pointer)));
  }

  /// That an object, or one of its alternatives, has of that name; null: none.
  const Json* property(const Json& schema, const std::string& name) const {
    const auto& node = resolved(schema);
    if (node.contains("properties") && node.at("properties").contains(name)) {
      return &node.at("properties").at(name);
    }
    for (const char* list : {"anyOf", "allOf"}) {
      if (node.contains(list)) {
        for (const auto& alternative : node.at(list)) {
          if (const Json* found = property(alternative, name)) {
            return found;
          }
        }
      }
    }
    return nullptr;
  }

  std::string description(const Json& schema) const {
    if (schema.contains("description")) {
      return schema.at("description").get<std::string>();
    }
    const auto& node = resolved(schema);
    return node.value("description", std::string());
  }

  void comment(const std::string& text, std::size_t indent) {
    const std::string begin = std::string(indent, ' ') + "//";
    std::string line = begin;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (line.size() + 1 + word.size() > comment_width && line != begin) {
        text_ += line + "\n";
        line = begin;
      }
      line += " " + word;
    }
    text_ += line == begin ? "" : line + "\n";
  }

  static std::string name_of(const Json& in, const std::string& name) {
    return in.is_object() ? Json(name).dump() + ": " : "";
  }

  static std::string in_one_line(const Json& value) {
    if (!value.is_structured()) {
      return value.dump();
    }
    std::string text;
    for (const auto& [name, member] : value.items()) {
      text += (text.empty() ? "" : ", ") + name_of(value, name) + in_one_line(member);
    }
    return value.is_object() ? "{" + text + "}" : "[" + text + "]";
  }

  /// In one line where that is short, else with a line for each of its members or elements.
  static std::string plain(const Json& value, std::size_t indent) {
    std::string line = in_one_line(value);
    if (!value.is_structured() || value.empty() || indent + line.size() <= comment_width) {
      return line;
    }
    const std::string next = "\n" + std::string(indent + indentation, ' ');
    std::string text;
    for (const auto& [name, member] : value.items()) {
      text += (text.empty() ? "" : ",") + next + name_of(value, name) +
              plain(member, indent + indentation);
    }
    text += "\n" + std::string(indent, ' ');
    return value.is_object() ? "{" + text + "}" : "[" + text + "]";
  }

  const Json openapi_;
  std::string text_;
};

}  // namespace

std::string commented_json(const Json& value, std::string_view openapi, const std::string& schema) {
  Writer writer(openapi);
  writer.write(value, writer.schema_named(schema), 0);
  return std::move(writer).take();
}

}  // namespace macrostep::server
