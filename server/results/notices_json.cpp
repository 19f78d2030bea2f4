#include "server/results/notices_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "server/json/json_text.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

Json notice_json(const engine::Notice& notice) {
  Json numbers = Json::object();
  for (const auto& [name, value] : notice.numbers) {
    numbers[name] = number(value);
  }
  Json json = {{"code", to_string(notice.code)},
               {"severity", to_string(severity_of(notice.code))},
               {"subject", notice.subject},
               {"numbers", std::move(numbers)},
               {"sentence", sentence(notice)}};
  if (!notice.check.empty()) {
    json["check"] = notice.check;
  }
  if (!notice.detail.empty()) {
    json["detail"] = notice.detail;
  }
  if (!notice.causes.empty()) {
    json["causes"] = notices_json(notice.causes);
  }
  return json;
}

}  // namespace

Json notices_json(std::span<const engine::Notice> notices) {
  Json list = Json::array();
  for (const auto& notice : notices) {
    list.push_back(notice_json(notice));
  }
  return list;
}

}  // namespace macrostep::server::json
