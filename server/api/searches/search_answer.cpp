#include "server/api/searches/search_answer.hpp"

#include <utility>

#include "server/http/message/policy.hpp"
#include "server/queue/task_actions.hpp"
#include "server/respond/respond.hpp"
#include "server/store/search_json.hpp"

namespace macrostep::server {

std::optional<http::Response> search_answer(Application& application, const std::string& id) {
  auto search = load_search(application.store, id, TrialPoints::without);
  if (!search) {
    return std::nullopt;
  }
  search->row.summary = current(application.service.state(), std::move(search->row.summary));
  auto answer = json_text_answer(200, search_json(*search, TrialPoints::without));
  answer.with("etag", http::entity_tag(answer.body));
  return answer;
}

}  // namespace macrostep::server
