// FMUs over REST: uploaded, refused, listed, read, deleted; and what becomes of uploads that end
// early.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/server/api/api_fixture.hpp"
#include "tests/server/cli/serve/serve_process.hpp"
#include "tests/server/test_fmus.hpp"

namespace macrostep::tests {
namespace {

namespace fs = std::filesystem;

fs::path fmu_directory(const Api& api) {
  return server::fmu_directory_of(api.file());
}

TEST_CASE("an FMU that is uploaded is stored under its hash, listed and described") {
  const Api api;
  const auto response = api.call("POST", "/api/v1/fmus?name=my%20mass.fmu", fmu_bytes("mass2"));
  CHECK(response.status == 201);
  const Json uploaded = Json::parse(response.body);
  const std::string sha256 = uploaded.at("sha256");
  CHECK(*response.header("location") == "/api/v1/fmus/" + sha256);
  CHECK(uploaded.at("file_name") == "my mass.fmu");
  CHECK(uploaded.at("size_bytes") == fmu_bytes("mass2").size());
  CHECK(uploaded.at("model_name") == "mass");
  CHECK(uploaded.at("fmi_version") == "2.0");
  CHECK(uploaded.at("interfaces").at("co_simulation").at("can_get_and_set_state") == true);
  CHECK(uploaded.at("interfaces").at("co_simulation").at("interpolates_inputs") == true);
  CHECK(uploaded.at("interfaces").at("model_exchange").at("provides_directional_derivatives") ==
        true);
  CHECK(uploaded.at("integrators")[0] == "fmu");
  CHECK(uploaded.at("inputs")[0].at("name") == "f");
  CHECK(uploaded.at("inputs")[0].at("unit") == "N");
  CHECK(uploaded.at("outputs")[1].at("name") == "v");
  CHECK(uploaded.at("outputs")[1].at("derivative_of") == "x");
  CHECK(uploaded.at("outputs")[2].at("direct_inputs") == Json({"f", "w"}));
  CHECK(uploaded.at("parameters")[2].at("unit") == "N.s/m");
  CHECK(uploaded.at("parameters")[2].at("declared_unit") == "N.s/m");
  CHECK(uploaded.at("default_experiment").at("stop_s") == 1);
  CHECK(uploaded.at("default_experiment").at("tolerance") == nullptr);
  CHECK(api.get("/api/v1/fmus/" + sha256) == uploaded);
  const Json list = api.get("/api/v1/fmus");
  REQUIRE(list.at("fmus").size() == 1);
  CHECK(list.at("fmus")[0].at("sha256") == sha256);
  CHECK(list.at("fmus")[0].at("interfaces") == Json({"co_simulation", "model_exchange"}));
  CHECK(names_in(fmu_directory(api)) == std::vector<std::string>{sha256, "incoming"});
  CHECK(names_in(fmu_directory(api) / "incoming").empty());
}

TEST_CASE("an FMU that is uploaded again is there once, with its first name") {
  const Api api;
  const Json first = api.json("POST", "/api/v1/fmus?name=a.fmu", 201, fmu_bytes("mass3"));
  const Json again = api.json("POST", "/api/v1/fmus?name=b.fmu", 200, fmu_bytes("mass3"));
  CHECK(first == again);
  CHECK(api.get("/api/v1/fmus").at("fmus").size() == 1);
}

TEST_CASE("the list of FMUs comes in pages, newest first") {
  const Api api;
  std::vector<std::string> uploaded;
  for (const char* name : {"mass2", "mass3", "spring2"}) {
    const auto response = api.json("POST", "/api/v1/fmus", 201, fmu_bytes(name));
    uploaded.push_back(response.at("sha256"));
    CHECK(response.at("file_name") == response.at("model_name"));  // without a name of its own
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  std::vector<std::string> listed;
  std::string target = "/api/v1/fmus?limit=1";
  for (int page = 0; page < 4 && !target.empty(); ++page) {
    const Json answer = api.get(target);
    for (const auto& fmu : answer.at("fmus")) {
      listed.push_back(fmu.at("sha256"));
    }
    const Json next = answer.at("next");
    target = next.is_null() ? "" : "/api/v1/fmus?limit=1&after=" + next.get<std::string>();
  }
  std::ranges::reverse(listed);
  CHECK(listed == uploaded);
  api.json("GET", "/api/v1/fmus?limit=0", 400);
  const auto named = [&](const std::string& part) {
    return api.get("/api/v1/fmus?name=" + part).at("fmus").size();
  };
  CHECK(named("SPR") == 1);
  CHECK(named("nothing") == 0);
  api.json("GET", "/api/v1/fmus?name=", 400);
  CHECK(api.store.full_scan_steps() == 0);
}

TEST_CASE("what is no FMU is refused with the reason, and nothing of it is left") {
  const Api api;
  const auto reason = [&](const std::string& body) -> std::string {
    const Json problem = api.json("POST", "/api/v1/fmus", 422, body);
    CHECK(problem.at("type") == "/problems/invalid-fmu");
    return problem.at("detail");
  };
  CHECK(reason("") == "the file is not a zip archive");
  CHECK(reason("{}") == "the file is not a zip archive");
  const std::string good = fmu_bytes("mass2");
  CHECK(reason(good.substr(0, good.size() - 100)).starts_with("the archive is cut off"));
  CHECK(api.get("/api/v1/fmus").at("fmus").empty());
  CHECK(names_in(fmu_directory(api)) == std::vector<std::string>{"incoming"});
  CHECK(names_in(fmu_directory(api) / "incoming").empty());
}

TEST_CASE("an FMU is deleted with its files, and an unknown one is not found") {
  const Api api;
  const std::string sha256 = api.json("POST", "/api/v1/fmus", 201, fmu_bytes("mass2")).at("sha256");
  CHECK(api.call("DELETE", "/api/v1/fmus/" + sha256).status == 204);
  CHECK(names_in(fmu_directory(api)) == std::vector<std::string>{"incoming"});
  CHECK(names_in(fmu_directory(api) / "incoming").empty());
  api.json("DELETE", "/api/v1/fmus/" + sha256, 404);
  api.json("GET", "/api/v1/fmus/" + sha256, 404);
  api.json("GET", "/api/v1/fmus/..", 404);
  api.json("DELETE", "/api/v1/fmus/incoming", 404);
  CHECK(fs::exists(fmu_directory(api) / "incoming"));
}

TEST_CASE("an FMU that a running search names is kept until that ends") {
  Api api;
  const std::string sha256 = api.json("POST", "/api/v1/fmus", 201, fmu_bytes("mass2")).at("sha256");
  // Two FMUs would do; what counts is the plan of a search that has not ended.
  api.store.create_search({.id = "uses",
                           .name = "uses",
                           .problem = "own",
                           .created_at = "2025-01-31T12:00:00.000Z",
                           .linear_region_rule = "local_power_law",
                           .plan = R"({"problem":{"subsystems":[{"fmu":")" + sha256 + "\"}]}}"});
  api.json("DELETE", "/api/v1/fmus/" + sha256, 409);
  api.store.set_status("uses", {.status = "cancelled"});
  CHECK(api.call("DELETE", "/api/v1/fmus/" + sha256).status == 204);
}

TEST_CASE("an FMU is found by hash, file name or model name, if only one has it") {
  Api api;
  const auto upload = [&](const std::string& fmu, const std::string& name) -> std::string {
    return api.json("POST", "/api/v1/fmus?name=" + name, 201, fmu_bytes(fmu)).at("sha256");
  };
  const std::string mass = upload("mass2", "m2.fmu");
  upload("mass3", "m3.fmu");
  upload("spring2", "s.fmu");
  const auto why = [&](const std::string& called) {
    const auto found = api.fmus.find(called);
    const auto* text = std::get_if<std::string>(&found);
    return text == nullptr ? "" : *text;
  };
  CHECK(why(mass).empty());
  CHECK(why("m2.fmu").empty());
  CHECK(why("spring").empty());
  CHECK(std::get<0>(api.fmus.find("m2.fmu"))->sha256 == mass);
  CHECK(why("mass").starts_with("several FMUs have this name"));
  CHECK(why("nothing").starts_with("there is no FMU of this name"));
  CHECK(why(std::string(64, 'a')).starts_with("there is no FMU with the SHA-256"));
  CHECK(why("../" + mass).starts_with("there is no FMU of this name"));
}

TEST_CASE("files and rows that were parted by a kill come together at the next start") {
  const TemporaryDirectory directory;
  const auto files = server::fmu_directory_of(directory.file());
  db::Store store(directory.file());
  std::string sha256;
  {
    server::FmuStore fmus(store, files);
    auto upload = fmus.begin_upload();
    REQUIRE(upload);
    CHECK_FALSE(fmus.begin_upload());  // one at a time
    upload->write(fmu_bytes("mass2"));
    sha256 = fmus.add(*upload, "mass.fmu").row.sha256;
    upload.reset();
    CHECK(fmus.begin_upload());
  }
  SUBCASE("a row is missing") {
    store.delete_fmu(sha256);
    const server::FmuStore fmus(store, files);
    CHECK(store.get_fmu(sha256)->model_name == "mass");
    CHECK(store.get_fmu(sha256)->size_bytes ==
          static_cast<std::int64_t>(fmu_bytes("mass2").size()));
  }
  SUBCASE("files are missing") {
    fs::remove_all(files / sha256);
    const server::FmuStore fmus(store, files);
    CHECK_FALSE(store.get_fmu(sha256));
  }
  SUBCASE("an upload was cut off") {
    fs::create_directories(files / "incoming" / "0123456789abcdef" / "files");
    const server::FmuStore fmus(store, files);
    CHECK(names_in(files / "incoming").empty());
  }
  SUBCASE("an upload goes on elsewhere") {
    server::FmuFiles elsewhere(files);
    const auto upload = elsewhere.begin_upload();
    const server::FmuStore fmus(store, files);
    CHECK(names_in(files / "incoming").size() == 1);
  }
}

void overwrite(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  REQUIRE(stream.good());
}

std::string file_bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("an FMU whose files were changed, lost or added to is unpacked again before it is used") {
  const Api api;
  const std::string sha256 = api.json("POST", "/api/v1/fmus", 201, fmu_bytes("mass2")).at("sha256");
  const auto found = [&] { return std::get<engine::FmuPointer>(api.fmus.find(sha256)); };
  const auto before = found();
  CHECK(found() == before);  // nothing is looked at twice
  const auto library = *before->co_simulation_library;
  const auto bytes = file_bytes(library);
  const auto files = before->directory;
  SUBCASE("a library of the same size and time") {
    const auto written = fs::last_write_time(library);
    overwrite(library, bytes.substr(0, bytes.size() - 1) + '\x5a');
    fs::last_write_time(library, written);
  }
  SUBCASE("a library that is gone") {
    fs::remove(library);
  }
  SUBCASE("a description that is no XML") {
    overwrite(files / "modelDescription.xml", "x");
  }
  SUBCASE("all files") {
    fs::remove_all(files);
  }
  SUBCASE("one more") {
    overwrite(files / "more", "x");
  }
  const auto here = found();
  CHECK(here != before);
  CHECK(file_bytes(*here->co_simulation_library) == bytes);
  CHECK(names_in(files) == std::vector<std::string>{"binaries", "modelDescription.xml"});
  CHECK(names_in(fmu_directory(api) / "incoming").empty());
}

TEST_CASE("an FMU whose files are gone is not found; one that cannot be read has a reason") {
  const Api api;
  const std::string sha256 = api.json("POST", "/api/v1/fmus", 201, fmu_bytes("mass2")).at("sha256");
  const auto place = fmu_directory(api) / sha256;
  SUBCASE("gone") {
    fs::remove_all(place);
    api.json("GET", "/api/v1/fmus/" + sha256, 404);
    api.json("POST", "/api/v1/fmus", 200, fmu_bytes("mass2"));
    api.get("/api/v1/fmus/" + sha256);
  }
  SUBCASE("a part of it cannot be opened") {
    fs::remove(place / "archive.fmu");
    fs::create_symlink("archive.fmu", place / "archive.fmu");  // a circle
    const Json problem = api.json("GET", "/api/v1/fmus/" + sha256, 503);
    CHECK(problem.at("type") == "/problems/storage");
    CHECK(problem.at("detail").get<std::string>().starts_with(
        "FMU " + sha256 + ": Too many levels of symbolic links; "));
  }
}

TEST_CASE("an FMU whose archive was changed or lost is not used until it is uploaded again") {
  const Api api;
  const std::string sha256 = api.json("POST", "/api/v1/fmus", 201, fmu_bytes("mass2")).at("sha256");
  const auto archive = fmu_directory(api) / sha256 / "archive.fmu";
  std::string why;
  SUBCASE("changed") {
    overwrite(archive, fmu_bytes("mass3"));
    why = "its stored files are damaged: its archive has changed on the disk; upload it again";
  }
  SUBCASE("lost") {
    fs::remove(archive);
    why = "its stored files are damaged: its archive is gone; upload it again";
  }
  CHECK(std::get<std::string>(api.fmus.find(sha256)) == why);
  api.json("POST", "/api/v1/fmus", 200, fmu_bytes("mass2"));
  CHECK(std::holds_alternative<engine::FmuPointer>(api.fmus.find(sha256)));
}

TEST_CASE("a store of FMUs that is full takes no other, says what to delete, and then takes it") {
  const TemporaryDirectory directory;
  const auto bytes = fmu_bytes("mass2");
  const auto limit_gb = [&] {
    db::Store store(directory.file("measure.db"));
    server::FmuStore fmus(store, directory.file("measure"));
    auto upload = fmus.begin_upload();
    upload->write(bytes);
    fmus.add(*upload, "");
    return 1.5 * static_cast<double>(fmus.largest(1).at(0).second) / (1 << 30);
  }();
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file(), "--fmu-store-limit",
                       std::to_string(limit_gb)},
                      directory.file("serve.log"));
  const auto port = server.wait_until_ready();
  const auto answer = [&](const std::string& request, const std::string& body) {
    ApiClient client(port);
    client.send(request_text(port, request, "Content-Type: application/octet-stream\r\n", body));
    return client.read_response();
  };
  const auto first = answer("POST /api/v1/fmus?name=first.fmu", bytes);
  REQUIRE(first.starts_with("HTTP/1.1 201"));
  const std::string sha256 = Json::parse(first.substr(first.find("\r\n\r\n") + 4)).at("sha256");
  const auto full = answer("POST /api/v1/fmus", fmu_bytes("mass3"));
  CHECK(full.starts_with("HTTP/1.1 507 Insufficient Storage"));
  CHECK(full.find("/problems/insufficient-storage") != full.npos);
  CHECK(full.find("(--fmu-store-limit), and this one needs at least 1 MB") != full.npos);
  CHECK(full.find("first.fmu (1 MB): DELETE /api/v1/fmus/" + sha256) != full.npos);
  const auto files = server::fmu_directory_of(directory.file());
  CHECK(names_in(files) == std::vector<std::string>{sha256, "incoming"});
  CHECK(names_in(files / "incoming").empty());
  CHECK(answer("POST /api/v1/fmus", bytes).starts_with("HTTP/1.1 200"));  // it is there already
  CHECK(answer("DELETE /api/v1/fmus/" + sha256, "").starts_with("HTTP/1.1 204"));
  CHECK(answer("POST /api/v1/fmus", fmu_bytes("mass3")).starts_with("HTTP/1.1 201"));
}

TEST_CASE("an FMU is uploaded over a socket, whole, in chunks, cut off, or not of its kind") {
  const TemporaryDirectory directory;
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                      directory.file("serve.log"));
  const auto port = server.wait_until_ready();
  const auto files = server::fmu_directory_of(directory.file());
  const std::string bytes = fmu_bytes("mass2");
  const auto status = [&](const std::string& headers, const std::string& body) {
    ApiClient client(port);
    client.send(request_text(port, "POST /api/v1/fmus", headers, body));
    const auto code = client.read_response().substr(9, 3);
    // Whether the server asks for a body that is already there depends on who is faster.
    return code == "100" ? client.read_response().substr(9, 3) : code;
  };
  const std::string octets = "Content-Type: application/octet-stream\r\n";
  CHECK(status("Content-Type: application/json\r\n", "{}") == "415");
  CHECK(status("", bytes) == "415");
  CHECK(status(octets + "Content-Length: 2000000000\r\n", "") == "413");
  {
    RawClient client(port);
    client.send(request_text(port, "POST /api/v1/fmus", octets + "Content-Length: 100000\r\n") +
                bytes.substr(0, 500));
    REQUIRE(eventually([&] { return names_in(files / "incoming").size() == 1; }));
    CHECK(status(octets, bytes) == "503");  // one at a time
  }
  CHECK(eventually([&] { return names_in(files / "incoming").empty(); }));  // it went away
  std::string first;
  CHECK(eventually([&] { return (first = status(octets, bytes)) != "503"; }));
  CHECK(first == "201");
  CHECK(status("Content-Type: application/zip\r\nExpect: 100-continue\r\n", bytes) == "200");
  std::string chunks;
  for (std::size_t at = 0; at < bytes.size(); at += 4096) {
    const auto piece = bytes.substr(at, 4096);
    std::ostringstream size;
    size << std::hex << piece.size();
    chunks += size.str() + "\r\n" + piece + "\r\n";
  }
  ApiClient client(port);
  client.send(
      request_text(port, "POST /api/v1/fmus?name=x", octets + "Transfer-Encoding: chunked\r\n") +
      chunks + "0\r\n\r\n");
  CHECK(client.read_response().starts_with("HTTP/1.1 200"));
  client.send(request_text(port, "GET /api/v1/fmus"));  // the connection goes on
  CHECK(client.read_response().starts_with("HTTP/1.1 200"));
  server.signal(SIGTERM);
  CHECK(server.wait() == 0);
  CHECK(names_in(files / "incoming").empty());
}

TEST_CASE("what a killed server had of an upload is gone after the next start") {
  const TemporaryDirectory directory;
  const auto files = server::fmu_directory_of(directory.file());
  {
    ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                        directory.file("serve.log"));
    const auto port = server.wait_until_ready();
    RawClient client(port);
    client.send(request_text(port, "POST /api/v1/fmus",
                             "Content-Type: application/octet-stream\r\nContent-Length: 9\r\n") +
                "PK");
    REQUIRE(eventually([&] { return names_in(files / "incoming").size() == 1; }));
    server.signal(SIGKILL);
    server.wait();
  }
  CHECK(names_in(files / "incoming").size() == 1);
  ServeProcess server({"--listen", "127.0.0.1:0", "--db", directory.file()},
                      directory.file("serve.log"));
  server.wait_until_ready();
  CHECK(names_in(files / "incoming").empty());
}

}  // namespace
}  // namespace macrostep::tests
