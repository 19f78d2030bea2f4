#include "server/jobs/executor_choice.hpp"

namespace macrostep::server::json {

std::optional<ExecutorChoice> read_executor(Members& job) {
  const auto value = job.find("executor");
  if (!value || value->is_null() || !value->expect_object()) {
    return std::nullopt;
  }
  Members members(*value);
  ExecutorChoice choice;
  const auto name = members.find("name");
  if (!name) {
    value->fail("must have a \"name\"");
  } else if (auto text = name->text()) {
    choice.name = std::move(*text);
  }
  if (const auto named = members.find("template"); named && !named->is_null()) {
    choice.template_name = named->text();
  }
  return choice.name.empty() ? std::nullopt : std::optional(std::move(choice));
}

std::optional<ExecutorChoice> executor_of(const nlohmann::json& job) {
  Errors errors;
  Members members(Value(job, "", errors));
  members.ignore_others();
  return read_executor(members);
}

}  // namespace macrostep::server::json
