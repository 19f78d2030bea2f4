// Traces of FMUs: computed once by a real server, whose workers load them, and there without them.
#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_fmus.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {
namespace {

std::string body_of(const std::string& response) {
  REQUIRE_MESSAGE(response.starts_with("HTTP/1.1 200"), response);
  return response.substr(response.find("\r\n\r\n"));
}

TEST_CASE("a trace of FMUs is there after they were deleted, bit for bit, and in a later server") {
  const TemporaryDirectory directory;
  const std::vector<std::string> arguments{
      "--listen", "127.0.0.1:0", "--fmu-sandbox=none", "--db", directory.file(), "--threads", "1"};
  std::string request;
  std::string first;
  std::string referred;
  {
    ServeProcess server(arguments, directory.file("serve.log"));
    server.wait_until_ready();
    const auto spring_mass = uploaded(server, "spring_mass2");
    const auto mass = uploaded(server, "mass2");
    const std::string id =
        server.json("POST /api/v1/searches", mass_and_spring(spring_mass, mass).dump()).at("id");
    const std::string search = "GET /api/v1/searches/" + id;
    REQUIRE(eventually([&] { return server.json(search).at("status") == "succeeded"; }));
    request = search + "/trials/0/trace?points=100";
    REQUIRE(eventually([&] { return server.ask(request).starts_with("HTTP/1.1 200"); }));
    first = body_of(server.ask(request));
    CHECK(Json::parse(first).at("points") == 100);
    CHECK(Json::parse(first).at("points_total") == 501);
    // Their equations are solved by a worker, too.
    const std::string with_reference = request + "&reference=true";
    REQUIRE(eventually([&] { return server.ask(with_reference).starts_with("HTTP/1.1 200"); }));
    referred = body_of(server.ask(with_reference));
    const auto trace = Json::parse(referred);
    CHECK(trace.at("reference_reason").is_null());
    CHECK(trace.at("reference").at("nrmse") > 0);
    CHECK(trace.at("columns").back() == "reference.m2.a");
    for (const auto& fmu : {spring_mass, mass}) {
      CHECK(server.ask("DELETE /api/v1/fmus/" + fmu).starts_with("HTTP/1.1 204"));
    }
    CHECK(body_of(server.ask(request)) == first);
    CHECK(body_of(server.ask(with_reference)) == referred);
    // Another one would have to be computed.
    CHECK(server.ask(search + "/trials/0/trace?points=101").starts_with("HTTP/1.1 409"));
    server.signal(SIGTERM);
    server.wait();
  }
  ServeProcess later(arguments, directory.file("later.log"));
  later.wait_until_ready();
  CHECK(body_of(later.ask(request)) == first);
  CHECK(body_of(later.ask(request + "&reference=true")) == referred);
}

}  // namespace
}  // namespace macrostep::tests
