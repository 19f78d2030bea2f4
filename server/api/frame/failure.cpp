#include "server/api/frame/failure.hpp"

#include <string>

#include "db/schema/error.hpp"
#include "server/fmus/fmu_store.hpp"
#include "server/http/message/problem.hpp"
#include "server/respond/respond.hpp"

namespace macrostep::server {

namespace {

http::Response store_problem(const db::Error& error) {
  switch (error.kind()) {
    case db::ErrorKind::bad_cursor:
      return http::problem_response(400, "after: " + std::string(error.what()));
    case db::ErrorKind::not_found:
      return http::problem_response(404, error.what());
    default:
      return storage_problem({.title = "The database cannot be used", .detail = error.what()});
  }
}

/// Paths are for the log alone.
http::Response unreadable_fmu(const FmuUnreadable& error) {
  return storage_problem({.title = "The FMU cannot be read",
                          .detail = "FMU " + error.sha256 + ": " + error.code().message() +
                                    "; let the server's user read it where it lies, or delete it "
                                    "and upload it again"});
}

}  // namespace

std::optional<http::Response> answer_failure(Application& application, const http::Request& request,
                                             const std::exception& failure) {
  if (const auto* error = dynamic_cast<const db::Error*>(&failure)) {
    auto response = store_problem(*error);
    if (response.status >= 500) {
      application.log.write(Log::Level::error, "the database refused a request",
                            {{"request_id", request.id}, {"reason", error->what()}});
    }
    return response;
  }
  if (const auto* error = dynamic_cast<const FmuUnreadable*>(&failure)) {
    application.log.write(Log::Level::error, "an FMU could not be read",
                          {{"request_id", request.id}, {"reason", error->what()}});
    return unreadable_fmu(*error);
  }
  return std::nullopt;
}

}  // namespace macrostep::server
