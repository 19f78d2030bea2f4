#include "server/commands/job_source.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

#include "engine/catalogue.hpp"
#include "server/commands/command.hpp"
#include "server/commands/record_file.hpp"
#include "server/http/json_body.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::commands {

namespace {

/// At most one byte more than read_json accepts: it reports what is too long.
std::string read_text(std::istream& in) {
  std::string text(http::JsonLimits{}.bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string read_file(const std::string& job) {
  errno = 0;
  std::ifstream file(job, std::ios::binary);
  std::string text;
  if (file) {
    text = read_text(file);
  }
  if (file.is_open() && !file.bad()) {
    return text;
  }
  if (errno != ENOENT) {
    throw CommandError(Failure::bad_usage, "cannot read " + job + ": " + std::strerror(errno));
  }
  if (job.find('/') != std::string::npos || job.ends_with(".json")) {
    throw CommandError(Failure::bad_usage, "there is no file " + job +
                                               "; check its path, or name a built-in problem "
                                               "(macrostep models lists them)");
  }
  std::vector<std::string> names;
  for (const auto& built_in : engine::catalogue()) {
    names.push_back(built_in.name);
  }
  std::string message = "there is neither a file nor a built-in problem " + json::in_quotes(job);
  if (const auto nearest = json::nearest_name(job, names)) {
    message += "; did you mean " + *nearest + "?";
  }
  throw CommandError(Failure::bad_job, message,
                     {{"/problem", "built-in problems: " + json::listed(names)}});
}

}  // namespace

JobDocument load_job(const std::string& job) {
  if (engine::find_built_in(job) != nullptr) {
    return {.json = {{"problem", job}}, .name = job};
  }
  JobDocument document{.json = nullptr, .name = job == "-" ? "the standard input" : job};
  const std::string text = job == "-" ? read_text(std::cin) : read_file(job);
  if (const auto error = http::read_json(text, document.json)) {
    throw CommandError(Failure::bad_job, document.name + " is not valid JSON",
                       {{error->pointer, error->message}});
  }
  inline_records(document.json);
  return document;
}

}  // namespace macrostep::server::commands
