#include "server/searches/search_plan.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "server/jobs/read_job.hpp"
#include "server/store/stored_rows.hpp"

namespace macrostep::server {

engine::Plan plan_from_row(const db::SearchRow& row, const engine::FmuSource& fmus) {
  auto plan = json::plan_of(json::read_job(nlohmann::json::parse(row.plan), fmus));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    throw unusable_job(*errors);
  }
  return std::move(std::get<engine::Plan>(plan));
}

SharedSearchPlan search_plan_from_row(const db::SearchRow& row, const engine::FmuSource& fmus) {
  return std::make_shared<const SearchPlan>(
      SearchPlan{.plan = plan_from_row(row, fmus),
                 .executor = json::executor_of(nlohmann::json::parse(row.job))});
}

}  // namespace macrostep::server
