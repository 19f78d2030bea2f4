#include "server/cli/frame/command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "server/base/printable.hpp"
#include "server/http/message/problem.hpp"

namespace macrostep::server {

namespace {

constexpr int status_bad_request = 400;
constexpr int status_unprocessable = 422;
constexpr int status_internal_error = 500;

http::Problem problem_of(const CommandError& error) {
  http::Problem problem;
  switch (error.failure()) {
    case Failure::bad_usage:
      problem.status = status_bad_request;
      problem.type = "/problems/bad-usage";
      problem.title = "Bad usage";
      break;
    case Failure::bad_job:
      problem.status = status_unprocessable;
      problem.type = "/problems/invalid-job";
      problem.title = "Invalid job";
      break;
    case Failure::failed:
      problem.status = status_internal_error;
      problem.type = "/problems/failed";
      problem.title = "Failed";
      break;
  }
  problem.detail = error.what();
  for (const auto& [pointer, message] : error.errors()) {
    problem.errors.push_back({pointer, message});
  }
  return problem;
}

}  // namespace

int report(const CommandError& error, bool as_json) {
  std::string text = "macrostep: " + printable(error.what()) + "\n";
  for (const auto& [pointer, message] : error.errors()) {
    text += "  " + printable(pointer.empty() ? message : pointer + ": " + message) + "\n";
  }
  std::fputs(text.c_str(), stderr);
  if (as_json) {
    std::fputs(http::problem_response(problem_of(error)).body.c_str(), stdout);
    std::fflush(stdout);
  }
  return error.exit_code();
}

void print_message(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_notes(std::span<const engine::Notice> notices) {
  for (const auto& notice : notices) {
    print_message("macrostep: note: " + engine::sentence(notice) + "\n");
  }
}

int interrupted(const std::string& outcome) {
  print_message("macrostep: interrupted: " + outcome + "\n");
  return exit_interrupted;
}

void print_answer(const std::string& text, bool output_is_taken) {
  if (output_is_taken) {
    print_message(text);
  } else {
    print(text);
  }
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw CommandError(Failure::failed,
                       std::string("cannot write to the standard output: ") + std::strerror(errno));
  }
}

}  // namespace macrostep::server
