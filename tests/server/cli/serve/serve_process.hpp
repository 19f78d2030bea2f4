// macrostep serve as a child process, and HTTP over a real socket to it. Every wait is bounded; the
// child ends with the object.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/openapi_check.hpp"
#include "tests/server/http/http_client.hpp"

namespace macrostep::tests {

/// Holds the answers against openapi.json.
class ApiClient : public RawClient {
 public:
  using RawClient::RawClient;

  /// A whole request, or the further bytes of one.
  bool send(const std::string& bytes) {
    request_ = bytes.find(" HTTP/1.1\r\n") == bytes.npos ? request_ : bytes;
    return RawClient::send(bytes);
  }
  std::string read_response(bool without_body = false) {
    auto response = RawClient::read_response(without_body);
    check_documented(request_, response);
    return response;
  }

 private:
  std::string request_;
};

class ServeProcess {
 public:
  /// Starts `macrostep serve` with these arguments and variables ("NAME=value"), and without the
  /// settings of whoever runs the tests; stderr goes to `log`.
  ServeProcess(std::vector<std::string> arguments, const std::filesystem::path& log,
               std::vector<std::string> variables = {})
      : log_(log) {
    arguments.insert(arguments.begin(), {MACROSTEP_BINARY, "serve"});
    auto argv = pointers(arguments);
    auto environment = plain_environment(variables, log.parent_path());
    auto envp = pointers(environment);
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int failed =
        posix_spawn(&pid_, MACROSTEP_BINARY, &actions, nullptr, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    stdout_ = ends[0];
    REQUIRE(failed == 0);
  }
  ~ServeProcess() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(stdout_);
  }
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;

  /// Waits for the line that says where it listens.
  std::uint16_t wait_until_ready() {
    std::string line;
    char c = 0;
    pollfd waiting{stdout_, POLLIN, 0};
    while (line.find('\n') == std::string::npos && poll(&waiting, 1, 60'000) == 1 &&
           read(stdout_, &c, 1) == 1) {
      line += c;
    }
    const auto at = line.find("http://127.0.0.1:");
    REQUIRE_MESSAGE(at != std::string::npos, "\"" << line << "\" " << log());
    port_ = static_cast<std::uint16_t>(std::stoi(line.substr(at + 17)));
    return port_;
  }

  void signal(int number) const { kill(pid_, number); }

  /// The status as waitpid has it; the child is killed if it does not end within a minute.
  int wait() {
    int status = 0;
    for (int i = 0; i < 6000; ++i) {
      if (waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = 0;
        return status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL("the server does not end: " << log());
    return status;
  }

  std::string log() const {
    std::ifstream file(log_);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::uint16_t port() const { return port_; }

  /// The whole response to one request on a connection of its own.
  std::string ask(const std::string& line, const std::string& body = "") const {
    ApiClient client(port_);
    client.send(
        request_text(port_, line, body.empty() ? "" : "Content-Type: application/json\r\n", body));
    return client.read_response(line.starts_with("HEAD"));
  }
  nlohmann::json json(const std::string& line, const std::string& body = "") const {
    const auto response = ask(line, body);
    const auto at = response.find("\r\n\r\n");
    REQUIRE_MESSAGE(at != std::string::npos, line << ": " << response);
    return nlohmann::json::parse(response.substr(at + 4));
  }

  /// The process's own, for the files that the kernel shows of it.
  pid_t id() const { return pid_; }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (auto& text : texts) {
      result.push_back(text.data());
    }
    result.push_back(nullptr);
    return result;
  }

  /// What is not given, and is no setting of macrostep or of a service manager, is inherited.
  static std::vector<std::string> plain_environment(std::vector<std::string> variables,
                                                    const std::filesystem::path& directory) {
    variables.push_back("XDG_CONFIG_HOME=" + (directory / "no-settings").string());
    const auto name = [](const std::string& text) { return text.substr(0, text.find('=') + 1); };
    for (char** inherited = environ; *inherited != nullptr; ++inherited) {
      const std::string text = *inherited;
      const bool given = std::ranges::any_of(
          variables, [&](const std::string& one) { return name(one) == name(text); });
      const bool setting = text.starts_with("MACROSTEP_") || text.starts_with("NOTIFY_SOCKET=") ||
                           text.starts_with("STATE_DIRECTORY=");
      if (!given && !setting) {
        variables.push_back(text);
      }
    }
    return variables;
  }

  std::filesystem::path log_;
  pid_t pid_ = 0;
  int stdout_ = -1;
  std::uint16_t port_ = 0;
};

/// The events of one stream as they arrive.
class EventClient {
 public:
  EventClient(std::uint16_t port, const std::string& search) : client_(port) {
    client_.send(request_text(port, "GET /api/v1/events?search=" + search));
    const auto head = client_.read_response();
    REQUIRE_MESSAGE(head.starts_with("HTTP/1.1 200"), head);
  }

  struct Event {
    std::string name;
    nlohmann::json data;
  };

  /// The next event; an empty name at the end of the stream.
  Event next() {
    for (;;) {
      const auto frame = client_.read_until("\n\n");
      const auto name = frame.find("event: ");
      const auto data = frame.find("data: ");
      if (!frame.ends_with("\n\n")) {
        return {};
      }
      if (name == std::string::npos || data == std::string::npos) {
        continue;  // a heartbeat
      }
      Event event{frame.substr(name + 7, frame.find('\n', name) - name - 7),
                  nlohmann::json::parse(frame.substr(data + 6))};
      check_event(event.name, event.data);
      return event;
    }
  }

 private:
  ApiClient client_;
};

}  // namespace macrostep::tests
