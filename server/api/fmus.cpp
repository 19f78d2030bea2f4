#include "server/api/fmus.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/text.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "server/api/frame/application.hpp"
#include "server/fmus/fmu_json.hpp"
#include "server/fmus/fmu_store.hpp"
#include "server/json/json_text.hpp"
#include "server/respond/list_filters.hpp"
#include "server/respond/respond.hpp"

namespace macrostep::server {

namespace {

constexpr const char* fmus_path = "/api/v1/fmus";
constexpr const char* upload_retry_after_s = "1";
/// Named in the answer of a store that is full.
constexpr std::size_t max_shown_large_fmus = 3;

/// Paths are for the log alone.
http::Response cannot_store(Application& application, const http::Request& request,
                            const std::system_error& error) {
  application.log.write(Log::Level::error, "an FMU could not be stored",
                        {{"request_id", request.id}, {"reason", error.what()}});
  return storage_problem({.title = "The FMU cannot be stored", .detail = error.code().message()});
}

http::Response invalid_fmu(const models::fmi::FmuRefused& refused) {
  return http::problem_response({.status = 422,
                                 .type = "/problems/invalid-fmu",
                                 .title = "The FMU cannot be used",
                                 .detail = refused.what(),
                                 .errors = {}});
}

std::string megabytes_text(std::uint64_t bytes) {
  constexpr double megabyte = 1 << 20;
  return engine::number_text(std::ceil(static_cast<double>(bytes) / megabyte)) + " MB";
}

/// How full it is, and what to delete.
http::Response store_full(const Application& application, const FmuStoreFull& full) {
  std::string detail = "The FMUs of this server take " + megabytes_text(full.used_bytes) + " of " +
                       megabytes_text(application.fmus.max_bytes()) +
                       " (--fmu-store-limit), and this one needs at least " +
                       megabytes_text(full.needed_bytes) +
                       ". Delete some that no search needs any more";
  std::string gap = ", as ";
  for (const auto& [row, bytes] : application.fmus.largest(max_shown_large_fmus)) {
    detail += gap + row.file_name + " (" + megabytes_text(bytes) + "): DELETE " + fmus_path + "/" +
              row.sha256;
    gap = ", ";
  }
  return http::problem_response(507, detail);
}

void append_row(std::string& out, const db::FmuRow& row) {
  json::ObjectText object(out);
  object.text("sha256", row.sha256)
      .text("file_name", row.file_name)
      .text("model_name", row.model_name)
      .text("fmi_version", row.fmi_version)
      .json("interfaces", row.interfaces)
      .integer("size_bytes", row.size_bytes)
      .text("uploaded_at", row.uploaded_at);
}

/// What is stored of it, and what it says of itself.
nlohmann::ordered_json whole_json(const db::FmuRow& row, const models::fmi::Fmu& fmu) {
  nlohmann::ordered_json json = {{"sha256", row.sha256},
                                 {"file_name", row.file_name},
                                 {"size_bytes", row.size_bytes},
                                 {"uploaded_at", row.uploaded_at}};
  json.update(json::fmu_json(fmu));
  return json;
}

/// What arrives of a body; an error is kept until the end, when there is somebody to tell it to.
struct Arriving {
  std::shared_ptr<FmuUpload> upload;
  std::optional<http::Response> failed = {};
};

http::Response finish_upload(Application& application, Arriving& arriving,
                             const http::Request& request) {
  if (arriving.failed) {
    return *arriving.failed;
  }
  const auto* name = request.query("name");
  const auto upload = std::move(arriving.upload);  // over when the client is told
  try {
    const auto added = application.fmus.add(*upload, name == nullptr ? "" : *name);
    return json_answer(added.is_new ? 201 : 200, whole_json(added.row, *added.fmu))
        .with("location", std::string(fmus_path) + "/" + added.row.sha256);
  } catch (const models::fmi::FmuRefused& refused) {
    return invalid_fmu(refused);
  } catch (const FmuStoreFull& full) {
    return store_full(application, full);
  } catch (const std::system_error& error) {
    return cannot_store(application, request, error);
  }
}

std::variant<http::Upload, http::Response> begin_upload(Application& application,
                                                        const http::Request& request) {
  if (auto unknown = http::unknown_parameter(request, std::array{std::string_view("name")})) {
    return std::move(*unknown);
  }
  auto arriving = std::make_shared<Arriving>();
  try {
    arriving->upload = application.fmus.begin_upload();
  } catch (const std::system_error& error) {
    return cannot_store(application, request, error);
  }
  if (!arriving->upload) {
    return http::problem_response(503, "Another FMU is being uploaded; try again")
        .with("retry-after", upload_retry_after_s);
  }
  // The request lives as long as its upload.
  const auto take = [&application, &request, arriving](std::string_view piece) {
    if (arriving->failed) {
      return;
    }
    try {
      arriving->upload->write(piece);
    } catch (const models::fmi::FmuRefused& refused) {
      arriving->failed = invalid_fmu(refused);
    } catch (const std::system_error& error) {
      arriving->failed = cannot_store(application, request, error);
    }
  };
  const auto finish = [arriving](Application& app, const http::Request& whole) {
    return finish_upload(app, *arriving, whole);
  };
  return http::Upload{take, bound(application, finish)};
}

http::Response list_fmus(Application& application, const http::Request& request) {
  const auto wanted = page_request(request);
  if (!wanted) {
    return bad_limit();
  }
  db::FmuQuery query;
  const std::array filters{
      Filter{"name", [&](const auto& text) { return read_text(text, query.name_part); }}};
  if (auto wrong = read_filters(request, filters)) {
    return std::move(*wrong);
  }
  const auto page = application.store.list_fmus(wanted->limit, wanted->after, query);
  std::string body;
  json::ObjectText object(body);
  json::append_list(object.member("fmus"), page.rows, append_row);
  object.text_or_null("next", page.next).close();
  auto response = json_text_answer(200, body);
  link_next(response, request, wanted->limit, page.next);
  return response;
}

http::Response get_fmu(Application& application, const http::Request& request) {
  const auto& sha256 = request.capture("sha256");
  const auto row = application.store.get_fmu(sha256);
  if (!row || !application.fmus.has(sha256)) {
    return not_found("FMU", sha256);
  }
  const auto found = application.fmus.find(sha256);
  if (const auto* why = std::get_if<std::string>(&found)) {
    return storage_problem({.title = "The FMU cannot be read", .detail = *why});
  }
  return json_answer(200, whole_json(*row, *std::get<engine::FmuPointer>(found)));
}

http::Response delete_fmu(Application& application, const http::Request& request) {
  const auto& sha256 = request.capture("sha256");
  switch (application.fmus.remove(sha256)) {
    case db::FmuRemoval::unknown:
      return not_found("FMU", sha256);
    case db::FmuRemoval::in_use:
      return http::problem_response(
          409, "FMU " + sha256 + " is used by a search or analysis that has not ended");
    case db::FmuRemoval::done:
      break;
  }
  http::Response response;
  response.status = 204;
  return response;
}

}  // namespace

void add_fmus(http::Router& router, Application& application) {
  const auto add = [&](const char* method, const std::string& path, http::Parameters known,
                       auto handler, http::Work work) {
    router.add(method, fmus_path + path, known, bound(application, handler), work);
  };
  http::UploadRoute upload{.media_types = {"application/octet-stream", "application/zip"},
                           .max_bytes = application.fmus.limits().bytes};
  upload.begin = [&application](const http::Request& request) {
    return begin_upload(application, request);
  };
  router.add_upload("POST", fmus_path, std::move(upload));
  add("GET", "", {"limit", "after", "name"}, list_fmus, http::Work::quick);
  // They look through an archive, or wait for who does.
  add("GET", "/{sha256}", {}, get_fmu, http::Work::lengthy);
  add("DELETE", "/{sha256}", {}, delete_fmu, http::Work::lengthy);
}

}  // namespace macrostep::server
