// The log of a server: one entry per line, whatever names and paths hold, and from a request to
// what it has started.
#include <set>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_refusal.hpp"

namespace macrostep::tests {
namespace {

/// Every line of the log, each of which must be one JSON object in plain ASCII.
std::vector<Json> entries_of(const ServeProcess& server) {
  std::vector<Json> entries;
  std::istringstream lines(server.log());
  for (std::string line; std::getline(lines, line);) {
    for (const char c : line) {
      const auto byte = static_cast<unsigned char>(c);
      CHECK_MESSAGE((byte >= 0x20 && byte < 0x7f), line);
    }
    entries.push_back(Json::parse(line));
    CHECK(entries.back().is_object());
  }
  return entries;
}

std::string request_id_of(const std::string& response) {
  const std::string name = "\r\nx-request-id: ";
  const auto at = response.find(name);
  REQUIRE(at != std::string::npos);
  const auto begin = at + name.size();
  return response.substr(begin, response.find('\r', begin) - begin);
}

/// Closes a field, ends a line as some programs show it, and turns the direction of reading.
const std::string deceit =
    "a\"}{\"level\":\"error\",\"message\":\"stopped\"}\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6\\";

TEST_CASE("nothing that a client names ends a line of the log, or forges an entry") {
  // The database's own name, too, is somebody's choice.
  const TemporaryDirectory directory;
  const auto folder = directory.file("a\"\n{\xe2\x80\xae");
  std::filesystem::create_directory(folder);
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", folder / "b.db"},
                      directory.file("serve.log"));
  const auto port = server.wait_until_ready();
  Json job = small_job();
  job["name"] = "a\n{}\x1b[2J";  // is refused, and logged without it
  CHECK(server.ask("POST /api/v1/searches", job.dump()).starts_with("HTTP/1.1 422"));
  job["name"] = deceit;
  const auto id = server.json("POST /api/v1/searches", job.dump()).at("id").get<std::string>();
  Json map = {
      {"kind", "map"},
      {"name", deceit},
      {"problem", "stiff_oscillator"},
      {"search", {{"extrapolation", {"0"}}}},
      {"map",
       {{"x", {{"parameter", "coupling.c_k"}, {"minimum", 1}, {"maximum", 2}, {"count", 2}}},
        {"y", {{"parameter", "coupling.d_k"}, {"minimum", 1}, {"maximum", 2}, {"count", 2}}},
        {"macro_steps_s", {1e-3}}}}};
  CHECK(server.json("POST /api/v1/analyses", map.dump()).contains("id"));
  for (const std::string path :
       {"/%22%7d%0a%7b%22level%22:%22error%22", "/\xe2\x80\xae", "/a\"b", "/%e2%80%ae"}) {
    server.ask("GET " + path);
  }
  for (const std::string raw : {"GET /a\x1b[2J HTTP/1.1\r\n\r\n", "{\"level\":\"error\"}\n\n",
                                "GET\x7f / HTTP/1.1\r\nHost: a\"\xe2\x80\xae\r\n\r\n"}) {
    RawClient client(port);
    client.send(raw);
    client.read_response();
  }
  CHECK(eventually(
      [&] { return server.json("GET /api/v1/searches/" + id).at("status") == "succeeded"; }));
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);
  const auto entries = entries_of(server);
  bool named = false;
  for (const auto& entry : entries) {
    CHECK(entry.at("level") != "error");
    named |= entry.value("name", "") == deceit;
    CHECK((entry.at("message") != "stopped" || &entry == &entries.back()));
  }
  CHECK(named);
  CHECK(entries.back().at("message") == "stopped");
}

TEST_CASE("the lines of what a request starts carry its id") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                      directory.file("serve.log"));
  server.wait_until_ready();
  const auto submitted = server.ask("POST /api/v1/searches", endless_job().dump());
  const auto id =
      Json::parse(submitted.substr(submitted.find("\r\n\r\n") + 4)).at("id").get<std::string>();
  const auto waiting = server.json("POST /api/v1/searches", small_job().dump()).at("id");
  const auto is_now = [&](const std::string& status) {
    return eventually(
        [&] { return server.json("GET /api/v1/searches/" + id).at("status") == status; });
  };
  CHECK(is_now("running"));
  const auto cancelled =
      server.ask("POST /api/v1/searches/" + waiting.get<std::string>() + "/cancel");
  server.ask("POST /api/v1/searches/" + id + "/cancel");
  CHECK(is_now("cancelled"));
  const auto resumed = server.ask("POST /api/v1/searches/" + id + "/resume");
  CHECK(resumed.starts_with("HTTP/1.1 200"));
  CHECK(is_now("running"));
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);

  std::vector<std::string> of_search;
  std::set<std::string> of_waiting;
  for (const auto& entry : entries_of(server)) {
    if (entry.value("search", "") == id) {
      of_search.push_back(entry.at("message").get<std::string>() + " " +
                          entry.at("request_id").get<std::string>());
    }
    if (entry.at("message") == "search cancelled" && entry.at("search") == waiting) {
      of_waiting.insert(entry.at("request_id").get<std::string>());
    }
  }
  const std::string first = request_id_of(submitted);
  const std::string second = request_id_of(resumed);
  CHECK(first != second);
  std::ranges::sort(of_search);
  std::vector<std::string> expected{"search cancelled " + first, "search queued " + first,
                                    "search running " + first, "search running " + second,
                                    "search interrupted; it goes on at the next start " + second};
  std::ranges::sort(expected);
  CHECK(of_search == expected);
  CHECK(of_waiting == std::set<std::string>{request_id_of(cancelled)});
}

}  // namespace
}  // namespace macrostep::tests
