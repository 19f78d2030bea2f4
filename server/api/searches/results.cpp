#include "server/api/searches/results.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "db/schema/error.hpp"
#include "engine/fmu_export/library/native_library.hpp"
#include "server/api/frame/application.hpp"
#include "server/export/c_snippet.hpp"
#include "server/export/recommended_export.hpp"
#include "server/json/json_text.hpp"
#include "server/queue/task_actions.hpp"
#include "server/respond/respond.hpp"
#include "server/store/search_json.hpp"
#include "server/store/trials_csv.hpp"

namespace macrostep::server {

namespace {

std::optional<SearchRows> read(Application& application, const http::Request& request,
                               TrialPoints trials) {
  auto search = load_search(application.store, request.capture("id"), trials);
  if (search) {
    search->row.summary = current(application.service.state(), std::move(search->row.summary));
  }
  return search;
}

http::Response curves(Application& application, const http::Request& request) {
  const auto search = read(application, request, TrialPoints::with);
  if (!search) {
    return not_found("search", request.capture("id"));
  }
  return json_or_csv(
      request, [&] { return json_text_answer(200, curves_json(*search)); },
      [&] { return http::text_response(200, csv_type, curves_csv(*search)); });
}

std::string trials_json(const SearchRows& search, const db::Page<db::TrialRow>& page) {
  std::string body;
  json::ObjectText object(body);
  json::append_list(
      object.member("trials"), page.rows,
      [&](std::string& out, const db::TrialRow& trial) { out += trial_json(search, trial); });
  object.text_or_null("next", page.next).close();
  return body;
}

http::Response trials(Application& application, const http::Request& request) {
  const auto wanted = page_request(request);
  if (!wanted) {
    return bad_limit();
  }
  // The trials first: whatever they refer to is there when it is read.
  const auto page = application.store.trials(request.capture("id"), wanted->limit, wanted->after);
  auto search = read(application, request, TrialPoints::without);
  if (!search) {
    return not_found("search", request.capture("id"));
  }
  auto response = json_or_csv(
      request, [&] { return json_text_answer(200, trials_json(*search, page)); },
      [&] {
        search->trials = page.rows;
        return http::text_response(200, csv_type, trials_csv(*search));
      });
  link_next(response, request, wanted->limit, page.next);
  return response;
}

http::Response one_trial(Application& application, const http::Request& request) {
  const auto& number = request.capture("n");
  const auto id = whole_number(number);
  const auto trial = id ? application.store.trial(request.capture("id"), *id) : std::nullopt;
  const auto search = trial ? read(application, request, TrialPoints::without) : std::nullopt;
  return search ? json_text_answer(200, trial_json(*search, *trial))
                : not_found("trial", number + " of search " + request.capture("id"));
}

/// An SSP is packed within seconds.
constexpr const char* packing_retry_after_s = "2";

struct ExportForm {
  std::string_view name;
  const char* type;
  std::string_view ending;  ///< of the file's name
};

constexpr std::array export_forms{
    ExportForm{"json", "application/json", ".json"}, ExportForm{"csv", csv_type, ".csv"},
    ExportForm{"ssp", "application/zip", ".ssp"}, ExportForm{"osp", "application/xml", ".xml"},
    ExportForm{"c", "text/x-c; charset=utf-8", ".h"}};

/// What the search recommends, for another tool. Throws std::runtime_error where there is nothing
/// to be written.
std::string recommended_text(const Application& application, const SearchRows& search,
                             std::string_view form) {
  const auto recommended = recommended_export(search, application.fmus.source());
  if (form == "ssp") {
    return ssp_of(recommended, engine::native_library());
  }
  return form == "osp" ? osp_of(recommended) : c_of(recommended);
}

http::Response export_search(Application& application, const http::Request& request) {
  const auto* given = request.query("format");
  const auto* form = std::ranges::find(export_forms, given != nullptr ? *given : "json",
                                       [](const ExportForm& one) { return one.name; });
  if (form == export_forms.end()) {
    return http::problem_response(400, "format: must be json, csv, ssp, osp or c");
  }
  const auto search = read(application, request, TrialPoints::with);
  if (!search) {
    return not_found("search", request.capture("id"));
  }
  std::unique_lock packing(application.packing, std::defer_lock);
  if (form->name == "ssp" && !packing.try_lock()) {
    return http::problem_response(503, "Another SSP is being packed; try again")
        .with("retry-after", packing_retry_after_s);
  }
  http::Response response;
  if (form->name == "json") {
    response = json_text_answer(200, search_json(*search, TrialPoints::with));
  } else if (form->name == "csv") {
    response = http::text_response(200, form->type, trials_csv(*search));
  } else {
    try {
      response =
          http::text_response(200, form->type, recommended_text(application, *search, form->name));
    } catch (const db::Error&) {
      throw;
    } catch (const std::system_error&) {
      throw;  // no matter of the search, and it names paths
    } catch (const std::runtime_error& error) {
      return http::problem_response(409, "Search " + search->row.summary.id + ": " + error.what());
    }
  }
  // The id is the server's own: letters and digits.
  return response.with("content-disposition", "attachment; filename=\"macrostep-" +
                                                  search->row.summary.id +
                                                  std::string(form->ending) + "\"");
}

}  // namespace

void add_results(http::Router& router, Application& application) {
  const auto add = [&](const std::string& path, http::Parameters known, http::Work work,
                       auto handler) {
    router.add("GET", "/api/v1/searches/{id}" + path, known, bound(application, handler), work);
  };
  add("/curves", {}, http::Work::lengthy, curves);
  add("/trials", {"limit", "after"}, http::Work::quick, trials);
  add("/trials/{n}", {}, http::Work::quick, one_trial);
  add("/export", {"format"}, http::Work::lengthy, export_search);
}

}  // namespace macrostep::server
