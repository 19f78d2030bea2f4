// A server with a token, and one that other machines reach, as processes.
#include <sys/stat.h>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_refusal.hpp"

namespace macrostep::tests {
namespace {

const std::string a_token = "s3cret-0123456789";

std::string token_file(const TemporaryDirectory& directory, const std::string& text,
                       mode_t mode = 0600) {
  const auto file = directory.file("token");
  std::ofstream(file) << text;
  REQUIRE(chmod(file.c_str(), mode) == 0);
  return file;
}

std::string everything_under_proc(pid_t process) {
  std::string text;
  for (const char* name : {"cmdline", "environ"}) {
    std::ifstream file("/proc/" + std::to_string(process) + "/" + name);
    text += std::string{std::istreambuf_iterator<char>(file), {}};
  }
  return text;
}

TEST_CASE("a server with a token answers who shows it, and tells it nobody") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file(), "--token-file",
                       token_file(directory, a_token + "\nsecond line\n")},
                      directory.file("serve.log"));
  const auto port = server.wait_until_ready();
  const auto status = [&](const std::string& line, const std::string& headers,
                          const std::string& body = "") {
    ApiClient client(port);
    client.send(request_text(port, line, headers, body));
    return client.read_response();
  };
  const std::string bearer = "Authorization: Bearer " + a_token + "\r\n";
  CHECK(status("GET /healthz", "").starts_with("HTTP/1.1 200"));
  CHECK(status("GET /readyz", "").starts_with("HTTP/1.1 200"));
  CHECK(status("GET /", "").starts_with("HTTP/1.1 200"));
  const auto refused = status("GET /api/v1/searches", "");
  CHECK(refused.starts_with("HTTP/1.1 401"));
  contains(refused, "www-authenticate: Bearer\r\n");
  contains(refused, "application/problem+json");
  CHECK(status("GET /api/v1/searches", bearer).starts_with("HTTP/1.1 200"));
  CHECK(status("GET /api/v1/searches", "Authorization: Bearer " + a_token + "x\r\n")
            .starts_with("HTTP/1.1 401"));
  // An upload is refused before a byte of it is taken.
  CHECK(status("POST /api/v1/fmus",
               "Content-Type: application/octet-stream\r\nContent-Length: 1000000\r\n")
            .starts_with("HTTP/1.1 401"));

  const auto begun = status("POST /api/v1/session", bearer);
  CHECK(begun.starts_with("HTTP/1.1 204"));
  const auto at = begun.find("set-cookie: ");
  REQUIRE(at != std::string::npos);
  const std::string cookie =
      "Cookie: " + begun.substr(at + 12, begun.find(';', at) - at - 12) + "\r\n";
  CHECK(status("GET /api/v1/searches", cookie).starts_with("HTTP/1.1 200"));
  {
    RawClient stream(port);
    stream.send(request_text(port, "GET /api/v1/events", cookie));
    CHECK(stream.read_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
  }
  CHECK(status("DELETE /api/v1/session", cookie).starts_with("HTTP/1.1 204"));
  CHECK(status("GET /api/v1/searches", cookie).starts_with("HTTP/1.1 401"));

  CHECK(everything_under_proc(server.id()).find(a_token) == std::string::npos);
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);
  CHECK(server.log().find(a_token) == std::string::npos);
  CHECK(server.log().find(cookie.substr(cookie.find('=') + 1, 64)) == std::string::npos);
}

TEST_CASE("a token file that others may read, or without a token, is refused in one line") {
  const TemporaryDirectory directory;
  const auto refused = [&](const std::string& file, const std::string& reason) {
    int code = 0;
    const auto text =
        refusal(directory,
                {"--listen", "127.0.0.1:0", "--db", directory.file(), "--token-file", file}, code);
    CHECK(code == 2);
    contains(text, "token file " + file);
    contains(text, reason);
    CHECK(text.find(a_token) == std::string::npos);
  };
  for (const mode_t mode : {0640, 0604, 0620, 0610, 0666}) {
    refused(token_file(directory, a_token, mode), "chmod 600");
  }
  for (const auto& text :
       {std::string(), std::string(15, 'x'), std::string(4097, 'x'), a_token + " " + a_token,
        "\n" + a_token, a_token + "\t", a_token + "\xc3\xa4"}) {
    refused(token_file(directory, text), "16 to 4096 printable");
  }
  refused(directory.file("none"), "No such file");
  refused(directory.file().parent_path(), "not a regular file");
}

TEST_CASE("what the service manager guards is taken as it is, and a line may end as on Windows") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file(), "--token-file",
                       token_file(directory, a_token + "\r\n", 0440)},
                      directory.file("serve.log"),
                      {"CREDENTIALS_DIRECTORY=" + directory.file().parent_path().string()});
  const auto port = server.wait_until_ready();
  ApiClient client(port);
  client.send(request_text(port, "GET /metrics", "Authorization: Bearer " + a_token + "\r\n"));
  CHECK(client.read_response().starts_with("HTTP/1.1 200"));
}

TEST_CASE("an address that other machines reach wants a token, or the word insecure") {
  const TemporaryDirectory directory;
  const std::string db = directory.file();
  int code = 0;
  for (const char* listen : {"0.0.0.0:0", "[::]:0", "192.0.2.1:0"}) {
    const auto text = refusal(directory, {"--listen", listen, "--db", db}, code);
    CHECK(code == 2);
    contains(text, "--token-file");
    contains(text, "--insecure");
  }
  // TEST-NET-1 (RFC 5737) is no machine's address: with a lock, or without one on demand, it is
  // tried and not found.
  const std::string token = token_file(directory, a_token);
  for (const auto& lock :
       {std::vector<std::string>{"--token-file", token}, std::vector<std::string>{"--insecure"}}) {
    std::vector<std::string> arguments{"--listen", "192.0.2.1:0", "--db", db};
    arguments.insert(arguments.end(), lock.begin(), lock.end());
    ServeProcess server(arguments, directory.file("refused.log"));
    const int status = server.wait();
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    contains(server.log(), "cannot listen on 192.0.2.1");
  }
}

TEST_CASE("a server that everybody may use warns of it in one line of its log") {
  const TemporaryDirectory directory;
  // Loopback in the clothes of an IPv6 address, by which it does not count as such.
  ServeProcess server({"--listen", "[::ffff:127.0.0.1]:0", "--insecure", "--db", directory.file()},
                      directory.file("serve.log"));
  const auto ended = [&](const std::string& text) {
    return text.find("\"ready\"") != std::string::npos ||
           text.find("cannot listen") != std::string::npos;
  };
  REQUIRE(eventually([&] { return ended(server.log()); }));
  std::stringstream lines(server.log());
  int warnings = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("cannot listen") != std::string::npos) {
      std::puts("skipped: a server warns of --insecure: there is no IPv6 here");
      return;
    }
    warnings += line.find("insecure: whoever reaches this address") != std::string::npos ? 1 : 0;
  }
  CHECK(warnings == 1);
}

}  // namespace
}  // namespace macrostep::tests
