// How a server starts, refuses to start, logs, and ends.
#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_refusal.hpp"

namespace macrostep::tests {
namespace {

TEST_CASE("a server takes its settings from the environment and from a file as well") {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("own.toml"))
      << "listen = \"127.0.0.1:0\"\ndb = \"/proc/not-this-one.db\"\nallow-host = "
         "[\"rig.example\"]\n";
  ServeProcess server(
      {"--config", directory.file("own.toml")}, directory.file("serve.log"),
      {"MACROSTEP_DB=" + directory.file().string(), "MACROSTEP_LISTEN=127.0.0.1:0"});
  RawClient named(server.wait_until_ready());
  named.send("GET /healthz HTTP/1.1\r\nHost: rig.example\r\n\r\n");
  CHECK(named.read_response().starts_with("HTTP/1.1 200"));
  CHECK(std::filesystem::exists(directory.file()));
}

TEST_CASE("localhost as an address is this machine's own") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "localhost:0", "--db", directory.file()},
                      directory.file("serve.log"));
  server.wait_until_ready();
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
  std::string text;  // the log tells it when the port answers already
  CHECK(eventually([&] { return (text = server.log()).find(url) != std::string::npos; }));
  CHECK(text.find("insecure") == std::string::npos);
  CHECK(server.json("GET /readyz").at("status") == "ready");
}

TEST_CASE("a second server on one database, or on one port, is refused in one line") {
  const TemporaryDirectory directory;
  ServeProcess first({"--listen", "127.0.0.1:0", "--db", directory.file()},
                     directory.file("serve.log"));
  const auto port = std::to_string(first.wait_until_ready());
  int code = 0;
  const auto locked =
      refusal(directory, {"--listen", "127.0.0.1:0", "--db", directory.file()}, code);
  CHECK(code == 1);
  contains(locked, "process ");
  contains(locked, directory.file().string());
  const auto taken = refusal(
      directory, {"--listen", "127.0.0.1:" + port, "--db", directory.file("other.db")}, code);
  CHECK(code == 1);
  contains(taken, port + ": Address already in use");
  contains(taken, "--listen ADDRESS:PORT; 0 takes a free one");
  CHECK_FALSE(std::filesystem::exists(directory.file("other.db")));
  CHECK(first.json("GET /readyz").at("status") == "ready");
}

TEST_CASE("an address, a file or an option that cannot be used is refused in one line") {
  const TemporaryDirectory directory;
  int code = 0;
  const std::string db = directory.file();
  contains(refusal(directory, {"--listen", "0.0.0.0:0", "--db", db}, code), "0.0.0.0");
  CHECK(code != 0);
  for (const auto* listen :
       {"8080", "127.0.0.1:", "127.0.0.1:99999", ":80", "127.0.0.1:80x", "rig.example:80",
        "localhost.example:80", "127.0.0.1.1:80", "[::g]:80", "localhost:"}) {
    contains(refusal(directory, {"--listen", listen, "--db", db}, code), "--listen");
    CHECK(code == 2);
  }
  contains(refusal(directory, {"--listen", "127.0.0.1:0"}, code, {"XDG_DATA_HOME=/proc/macrostep"}),
           "cannot create the directory /proc/macrostep");
  CHECK(code == 1);
  std::ofstream(directory.file("photos.txt")) << std::string(5000, 'x');
  contains(
      refusal(directory, {"--listen", "127.0.0.1:0", "--db", directory.file("photos.txt")}, code),
      "photos.txt");
  CHECK(code == 1);
  refusal(directory, {"--threads", "-1"}, code);
  CHECK(code == 2);
}

TEST_CASE("a database that is named is kept in a directory that is there, and a new one is told") {
  const TemporaryDirectory directory;
  const auto nowhere = directory.file("tpyo");
  const std::string file = nowhere / "macrostep.db";
  const auto settings = directory.file("own.toml").string();
  std::ofstream(settings) << "listen = \"127.0.0.1:0\"\ndb = \"" << file << "\"\n";
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& where,
                           const std::vector<std::string>& variables = {}) {
    int code = 0;
    contains(refusal(directory, arguments, code, variables),
             where + ": there is no directory " + nowhere.string());
    CHECK(code == 2);
    CHECK_FALSE(std::filesystem::exists(nowhere));
  };
  refused({"--listen", "127.0.0.1:0", "--db", file}, "--db");
  refused({"--listen", "127.0.0.1:0"}, "MACROSTEP_DB", {"MACROSTEP_DB=" + file});
  refused({"--config", settings}, settings + ":2");
  std::filesystem::create_directory(nowhere);
  for (const bool first : {true, false}) {
    ServeProcess server({"--config", settings}, directory.file("serve.log"));
    server.wait_until_ready();
    server.signal(SIGTERM);
    CHECK(server.wait() == 0);
    CHECK((server.log().find("\"new database\"") != std::string::npos) == first);
  }
  const auto data = directory.file("data");  // the place that nobody named is made
  ServeProcess server({"--listen", "127.0.0.1:0"}, directory.file("serve.log"),
                      {"XDG_DATA_HOME=" + data.string()});
  server.wait_until_ready();
  CHECK(std::filesystem::exists(data / "macrostep" / "macrostep.db"));
}

TEST_CASE("without a terminal the log is one JSON object per line, whatever a client sends") {
  const TemporaryDirectory directory;
  ServeProcess server(
      {"--listen", "127.0.0.1:0", "--db", directory.file(), "--allow-host", "crane.example"},
      directory.file("serve.log"));
  server.wait_until_ready();
  Json job = small_job();
  job["name"] = "a\"} {\"level\":\"error\"";
  server.json("POST /api/v1/searches", job.dump());
  server.ask("GET /a%0a%22b");
  ApiClient named(server.port());
  named.send("GET /healthz HTTP/1.1\r\nHost: crane.example\r\n\r\n");
  CHECK(named.read_response().starts_with("HTTP/1.1 200"));
  server.signal(SIGTERM);
  server.wait();
  std::stringstream lines(server.log());
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    const auto entry = Json::parse(line);
    // Where there is no sandbox, the server says so.
    CHECK(entry.at("level") == (entry.at("message") == "no FMUs" ? "warning" : "info"));
    CHECK(entry.at("time").get<std::string>().ends_with("Z"));
    last = entry.at("message");
  }
  CHECK(last == "stopped");
}

TEST_CASE("a second signal, whichever, ends the process at once") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                      directory.file("serve.log"));
  server.wait_until_ready();
  // A request that never becomes whole keeps the orderly end waiting.
  RawClient client(server.port());
  client.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()));
  server.signal(SIGTERM);
  REQUIRE(eventually([&] { return server.log().find("stopping") != std::string::npos; }));
  server.signal(SIGINT);
  const int status = server.wait();
  const bool at_once = WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
  const bool already_over = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  CHECK((at_once || already_over));
}

}  // namespace
}  // namespace macrostep::tests
