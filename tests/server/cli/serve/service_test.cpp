// What a service manager gives to a server, and hears from it.
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_refusal.hpp"

namespace macrostep::tests {
namespace {

/// The socket of a service manager; a name that begins with @ is an abstract one.
class NotifySocket {
 public:
  explicit NotifySocket(std::string name)
      : name_(std::move(name)), socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(name_.size() < sizeof address.sun_path);
    std::ranges::copy(name_, address.sun_path);
    if (name_.front() == '@') {
      address.sun_path[0] = '\0';
    }
    REQUIRE(bind(socket_, reinterpret_cast<const sockaddr*>(&address),
                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size())) == 0);
  }
  ~NotifySocket() { close(socket_); }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  /// The next message; empty if none comes within a minute.
  std::string next() const {
    pollfd waiting{socket_, POLLIN, 0};
    char text[256];
    if (poll(&waiting, 1, 60'000) != 1) {
      return "";
    }
    const ssize_t size = recv(socket_, text, sizeof text, 0);
    return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "";
  }
  std::string variable() const { return "NOTIFY_SOCKET=" + name_; }

 private:
  std::string name_;
  int socket_;
};

TEST_CASE("a service manager hears when the server is ready, and when it stops") {
  const TemporaryDirectory directory;
  for (const auto& name :
       {directory.file("notify").string(), "@macrostep-test-" + std::to_string(getpid())}) {
    CAPTURE(name);
    const NotifySocket manager(name);
    ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                        directory.file("serve.log"), {manager.variable()});
    CHECK(manager.next() == "READY=1");
    server.wait_until_ready();
    CHECK(server.json("GET /readyz").at("status") == "ready");
    server.signal(SIGTERM);
    CHECK(manager.next() == "STOPPING=1");
    CHECK(server.wait() == 0);
  }
}

TEST_CASE("a service manager that is not there keeps no server from starting") {
  const TemporaryDirectory directory;
  for (const std::string name : {"/no/such/socket", "relative", "@", "", "/"}) {
    ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                        directory.file("serve.log"), {"NOTIFY_SOCKET=" + name});
    server.wait_until_ready();
    server.signal(SIGTERM);
    CHECK(server.wait() == 0);
  }
}

TEST_CASE("a service keeps its database in its state directory") {
  const TemporaryDirectory directory;
  const auto state = directory.file("state");
  std::filesystem::create_directory(state);
  ServeProcess server({"--listen", "127.0.0.1:0"}, directory.file("serve.log"),
                      {"STATE_DIRECTORY=" + state.string() + ":/var/lib/other"});
  server.wait_until_ready();
  CHECK(std::filesystem::exists(state / "macrostep.db"));
}

TEST_CASE("the unit's file waits for a migration, and says how what it names is installed") {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/docker/macrostep.service");
  std::string installed;
  std::vector<std::string> named;
  bool waits = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#   install ")) {
      installed += line.substr(line.rfind(' ') + 1) + "\n";
    }
    if (line.starts_with("#   docker/package/documents.sh ")) {  // the README and what it links to
      installed += line.substr(line.rfind(' ') + 1) + "/README.md\n";
    }
    for (const std::string setting : {"Documentation=file:", "ExecStart="}) {
      if (line.starts_with(setting)) {
        named.push_back(line.substr(setting.size(), line.find(' ') - setting.size()));
      }
    }
    waits = waits || line == "TimeoutStartSec=infinity";
  }
  CHECK(waits);
  REQUIRE(named.size() == 2);
  contains(installed, named[0] + "\n");
  contains(installed, std::filesystem::path(named[1]).parent_path().string() + "/\n");
}

TEST_CASE("the unit's file names only settings there are") {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/docker/macrostep.service");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  contains(text, "Type=notify");
  std::vector<std::string> variables;
  const std::string prefix = "MACROSTEP_";
  for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
    variables.push_back(text.substr(at, text.find('=', at) - at) + "=");  // set, to nothing
  }
  CHECK(variables.size() == 1);
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                      directory.file("serve.log"), variables);
  server.wait_until_ready();
}

}  // namespace
}  // namespace macrostep::tests
