#include "server/compare/comparison_text.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "server/json/json_text.hpp"
#include "server/store/trials_csv.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

Json numbers(const std::vector<std::optional<double>>& values) {
  Json list = Json::array();
  for (const auto& value : values) {
    list.push_back(json::number(value));
  }
  return list;
}

Json members_json(const Differences<MemberDifference>& differences) {
  Json list = Json::array();
  for (const auto& difference : differences.listed) {
    list.push_back({{"pointer", difference.pointer}, {"values", difference.values}});
  }
  return list;
}

Json searches_json(const std::vector<db::SearchSummary>& searches) {
  Json list = Json::array();
  for (const auto& summary : searches) {
    list.push_back({{"id", summary.id},
                    {"name", summary.name},
                    {"problem", summary.problem},
                    {"status", summary.status},
                    {"complete", summary.complete}});
  }
  return list;
}

/// For curves that not all searches have, it also tells which searches have them.
Json curves_json(const Differences<CurveDifference>& curves, bool of_some) {
  Json list = Json::array();
  for (const auto& curve : curves.listed) {
    Json one{{"configuration", Json::parse(curve.configuration)}, {"test", curve.test}};
    if (of_some) {
      one["present"] = curve.present;
    }
    one["bend_s"] = numbers(curve.bend_s);
    one["cliff_s"] = numbers(curve.cliff_s);
    list.push_back(std::move(one));
  }
  return list;
}

std::string csv_line(const std::string& part, const std::string& pointer, const std::string& test,
                     const std::string& configuration, const auto& cells) {
  std::string text =
      part + "," + csv_cell(pointer) + "," + csv_cell(test) + "," + csv_cell(configuration);
  for (const auto& cell : cells) {
    text += "," + cell;
  }
  return text + "\r\n";
}

std::string csv_lines(const std::string& part, const Differences<MemberDifference>& differences) {
  std::string text;
  for (const auto& difference : differences.listed) {
    std::vector<std::string> cells;
    for (const auto& value : difference.values) {
      cells.push_back(value.is_null()     ? ""
                      : value.is_string() ? csv_cell(value.get<std::string>())
                      : value.is_number() ? value.dump()
                                          : csv_cell(value.dump()));
    }
    text += csv_line(part, difference.pointer, "", "", cells);
  }
  return text;
}

std::vector<std::string> number_cells(const std::vector<std::optional<double>>& values) {
  std::vector<std::string> cells;
  for (const auto& value : values) {
    cells.push_back(value ? engine::exact_text(*value) : "");
  }
  return cells;
}

std::string curve_lines(const CurveDifference& curve) {
  std::vector<std::string> present;
  for (const bool is_present : curve.present) {
    present.emplace_back(is_present ? "1" : "0");
  }
  const auto line = [&](const std::string& pointer, const std::vector<std::string>& cells) {
    return csv_line("curve", pointer, curve.test, curve.configuration, cells);
  };
  return line("/present", present) + line("/bend_s", number_cells(curve.bend_s)) +
         line("/cliff_s", number_cells(curve.cliff_s));
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  const Json answer{{"searches", searches_json(comparison.searches)},
                    {"identical", comparison.identical()},
                    {"job", members_json(comparison.job)},
                    {"job_more", comparison.job.more},
                    {"recommendation", members_json(comparison.recommendation)},
                    {"recommendation_more", comparison.recommendation.more},
                    {"curves", curves_json(comparison.curves, /*of_some=*/false)},
                    {"curves_more", comparison.curves.more},
                    {"curves_of_some", curves_json(comparison.only_some, /*of_some=*/true)},
                    {"curves_of_some_more", comparison.only_some.more},
                    {"cost", members_json(comparison.cost)},
                    {"wall_s", numbers(comparison.wall_s)}};
  return answer.dump();
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text = "part,pointer,test,configuration";
  for (const auto& summary : comparison.searches) {
    text += "," + csv_cell(summary.id);
  }
  text += "\r\n" + csv_lines("job", comparison.job) +
          csv_lines("recommendation", comparison.recommendation);
  for (const auto* curves : {&comparison.curves, &comparison.only_some}) {
    for (const auto& curve : curves->listed) {
      text += curve_lines(curve);
    }
  }
  return text + csv_lines("cost", comparison.cost) +
         csv_line("cost", "/wall_s", "", "", number_cells(comparison.wall_s));
}

}  // namespace macrostep::server
