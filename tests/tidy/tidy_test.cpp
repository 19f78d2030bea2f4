// The layout and dependency rules, first shown to fail on a few lines each, then applied to the
// repository itself.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/tidy/rooms.hpp"
#include "tests/tidy/rules.hpp"

using namespace macrostep::tests::tidy;
namespace fs = std::filesystem;

namespace {

std::vector<Finding> includes(std::string path, std::string text) {
  return check_includes({std::move(path), std::move(text)});
}

std::vector<Finding> text_of(std::string path, std::string text) {
  return check_text({std::move(path), std::move(text)});
}

bool is_generated(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == "build" || name == "node_modules" || name == "dist" || name == "coverage" ||
         (name.starts_with('.') && name != ".ci" && name != ".github");
}

bool is_read(const fs::path& path) {
  static const std::vector<std::string> endings{".cpp", ".hpp", ".c",   ".h",     ".py",   ".ts",
                                                ".tsx", ".mjs", ".js",  ".css",   ".html", ".sh",
                                                ".sql", ".md",  ".txt", ".cmake", ".json", ""};
  return std::ranges::find(endings, path.extension().string()) != endings.end();
}

// The files of the repository as a checkout has them, in a fixed order.
std::vector<SourceFile> repository() {
  const fs::path root = MACROSTEP_SOURCE_DIR;
  std::vector<SourceFile> files;
  auto entry = fs::recursive_directory_iterator(root);
  for (; entry != fs::recursive_directory_iterator(); ++entry) {
    if (is_generated(entry->path())) {
      if (entry->is_directory()) entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file() || !is_read(entry->path())) continue;
    const std::string path = fs::relative(entry->path(), root).generic_string();
    if (path.starts_with(".ci/")) continue;
    std::ifstream stream(entry->path(), std::ios::binary);
    files.push_back({path, {std::istreambuf_iterator<char>(stream), {}}});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

}  // namespace

TEST_CASE("every folder includes only from the folders below it") {
  const std::string engine = "#include \"engine/trial/trial.hpp\"\n";
  const std::string models = "#include \"models/subsystem/subsystem.hpp\"\n";
  const std::string db = "#include \"db/store/store.hpp\"\n";
  const std::string server = "\n#include \"server/json/job.hpp\"\n";
  CHECK(includes("engine/a.cpp", engine + models).empty());
  CHECK(includes("server/a.cpp", server + engine + db + "#include \"web/assets.hpp\"\n").empty());
  CHECK(includes("tests/server/a.cpp", server + engine + db + models).empty());
  CHECK(describe(includes("models/a.cpp", engine)) ==
        "models/a.cpp:1: models may not include from engine\n");
  CHECK(includes("engine/a.cpp", server).at(0) ==
        Finding{"engine/a.cpp", 2, "engine may not include from server"});
  CHECK(includes("engine/a.cpp", db).size() == 1);
  CHECK(includes("db/a.hpp", engine).size() == 1);
  CHECK(includes("db/a.hpp", models).size() == 1);
  CHECK(describe(includes("server/a.hpp", models)) ==
        "server/a.hpp:1: server may not include from models\n");
  CHECK(includes("server/a.hpp", "#include \"models/fmi/archive/archive.hpp\"\n").empty());
  CHECK(includes("server/a.hpp", "#include \"models/fmi_other/a.hpp\"\n").size() == 1);
  CHECK(includes("db/a.hpp", "#include \"models/fmi/archive/archive.hpp\"\n").size() == 1);
  CHECK(includes("web/a.cpp", db).size() == 1);
  CHECK(includes("server/a.cpp", "#include \"tests/fixtures.hpp\"\n").size() == 1);
}

TEST_CASE("includes are written from the root") {
  CHECK(includes("db/a.cpp", "#include \"store.hpp\"\n").size() == 1);
  CHECK(includes("db/a.cpp", "#include \"../db/store.hpp\"\n").size() == 1);
}

TEST_CASE("every folder uses only its own third-party libraries") {
  CHECK(includes("models/a.cpp", "#include <Eigen/Dense>\n#include <vector>\n").empty());
  CHECK(includes("db/a.cpp", "#include <sqlite3.h>\n#include <sys/file.h>\n").empty());
  CHECK(includes("server/a.cpp", "#include <CLI/CLI.hpp>\n#include <spdlog/spdlog.h>\n").empty());
  CHECK(includes("server/http/a.cpp", "#include <boost/beast.hpp>\n").empty());
  CHECK(includes("tests/bench/a.cpp", "#include <benchmark/benchmark.h>\n").empty());
  CHECK(describe(includes("db/a.cpp", "#include <Eigen/Dense>\n")) ==
        "db/a.cpp:1: db may not use Eigen\n");
  CHECK(includes("models/a.cpp", "#include <tbb/parallel_for.h>\n").size() == 1);
  CHECK(includes("models/a.cpp", "#include <nlohmann/json.hpp>\n").size() == 1);
  CHECK(includes("engine/a.cpp", "#include <nlohmann/json.hpp>\n").size() == 1);
  CHECK(includes("engine/a.cpp", "#include <spdlog/spdlog.h>\n").size() == 1);
  CHECK(includes("server/a.cpp", "#include <sqlite3.h>\n").size() == 1);
  CHECK(includes("server/a.cpp", "#include <boost/asio.hpp>\n").at(0).rule ==
        "Boost stays below server/http/");
  CHECK(includes("models/a.cpp", "#include <zip.h>\n").size() == 1);
  CHECK(includes("models/fmi/a.cpp", "#include <zip.h>\n#include <pugixml.hpp>\n").empty());
  CHECK(includes("server/a.cpp", "#include <doctest/doctest.h>\n").size() == 1);
  CHECK(includes("tests/db/a.cpp", "#include <benchmark/benchmark.h>\n").size() == 1);
  CHECK(includes("server/a.cpp", "#include <curl/curl.h>\n").at(0).rule ==
        "<curl/curl.h> belongs to no library this project knows");
}

TEST_CASE("an include in a comment or a string is none") {
  CHECK(includes_of("// #include \"db/a.hpp\"\n/*\n#include <tbb/a.h>\n*/\n").empty());
  CHECK(includes_of("const char* s = \"#include <tbb/a.h>\";\n").empty());
  CHECK(includes_of("const char* s = R\"sql(\"\n#include <tbb/a.h>\n)sql\";\n").empty());
  const auto found = includes_of("\n  #  include  <tbb/task_group.h>  // the map\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].target == "tbb/task_group.h");
  CHECK(found[0].line == 2);
}

TEST_CASE("a costly library stays in few files") {
  const auto over = [](const std::string& text, const std::vector<std::string>& paths) {
    std::vector<SourceFile> files;
    for (const std::string& path : paths) {
      files.push_back({path, text});
      files.push_back({path.substr(0, path.find('/')) + "/README.md", "# here\n"});
    }
    return check_tree(files);
  };
  const std::string tbb = "#include <tbb/parallel_for.h>\n#include <tbb/task_arena.h>\n";
  const std::string beast = "#include <boost/beast.hpp>\n";
  CHECK(over(tbb, {"engine/studies/map.cpp", "tests/engine/a.cpp"}).empty());
  REQUIRE(over(tbb, {"engine/studies/map.cpp", "engine/trial/trial.cpp"}).size() == 1);
  CHECK(over(tbb, {"engine/studies/map.cpp", "engine/trial/trial.cpp"})[0].path ==
        "engine/trial/trial.cpp");
  CHECK(over("#include <sqlite3.h>\n", {"db/a.cpp", "db/b.cpp"}).size() == 1);
  CHECK(over("#include <cvode/cvode.h>\n", {"models/a.cpp", "models/b.cpp"}).size() == 1);
  std::vector<std::string> users{"server/http/a.cpp", "server/http/b.cpp", "server/http/c.cpp",
                                 "server/http/d.cpp"};
  CHECK(over(beast, users).empty());
  users.emplace_back("server/http/e.cpp");
  CHECK(over(beast, users).size() == 1);
}

TEST_CASE("the layout is the known folders, each with a README") {
  CHECK(check_tree(std::vector<SourceFile>{{"db/README.md", ""}, {"CMakeLists.txt", ""}}).empty());
  CHECK(check_tree(std::vector<SourceFile>{{".github/CHANGELOG.md", ""}}).empty());
  CHECK(describe(check_tree(std::vector<SourceFile>{{"db/store/store.cpp", ""}})) ==
        "db: has no README.md\n");
  CHECK(describe(check_tree(std::vector<SourceFile>{{"src/README.md", ""}})) ==
        "src: is not one of the folders of the layout\n");
}

TEST_CASE("time is not accumulated in models and engine") {
  CHECK(text_of("engine/a.cpp", "t += macro_step_s;\n").size() == 1);
  CHECK(text_of("engine/a.cpp", "  time_s+=h;\n").size() == 1);
  CHECK(text_of("models/a.cpp", "t_s = t_s + h;\n").size() == 1);
  CHECK(text_of("models/a.cpp", "state.t += h;\n").size() == 1);
  CHECK(text_of("models/a.cpp", "// never t += H\nconst auto what = \"t += H\";\n").empty());
  CHECK(text_of("models/a.cpp", "weight += h;\ncount += 1;\nwall_time_s += lap_s;\n").empty());
  CHECK(text_of("engine/a.cpp", "t_s = start_s + n * macro_step_s;\n").empty());
  CHECK(text_of("server/a.cpp", "t += 1;\n").empty());
}

TEST_CASE("floating-point arithmetic follows the standard") {
  CHECK(text_of("CMakeLists.txt", std::string("-ffast") + "-math\n").size() == 1);
}

TEST_CASE("every header is guarded") {
  CHECK(text_of("db/a.hpp", "#pragma once\n").empty());
  CHECK(text_of("db/a.hpp", "// #pragma once\nint a;\n").size() == 1);
  CHECK(text_of("db/a.cpp", "int a;\n").empty());
}

TEST_CASE("lines have at most 100 columns, counted in characters, and no tabs") {
  std::string greek;
  for (int i = 0; i < 100; ++i) greek += "Φ";
  CHECK(text_of("db/a.cpp", greek + "\n").empty());
  CHECK(text_of("db/a.cpp", std::string(100, 'x')).empty());
  CHECK(text_of("db/a.cpp", "\n" + std::string(101, 'x') + "\n").at(0).line == 2);
  CHECK(text_of("db/a.cpp", "\tint a;\n").size() == 1);
}

TEST_CASE("files stay short") {
  const auto lines = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "int a;\n";
    return text;
  };
  CHECK(text_of("db/a.cpp", lines(maximum_lines)).empty());
  CHECK(text_of("db/a.cpp", lines(maximum_lines + 1)).size() == 1);
  CHECK(text_of("web/app/a.tsx", lines(maximum_lines + 1)).size() == 1);
}

TEST_CASE("no file names a folder of one machine") {
  for (const std::string folder : {"tmp", "work", "root", "home"}) {
    const std::string path = "/" + folder + "/";
    CHECK(text_of("db/a.cpp", "open(\"" + path + "a\");\n").size() == 1);
    CHECK(text_of("docker/a.sh", "cd " + path + "x\n").size() == 1);
  }
  CHECK(text_of("db/a.cpp", "open(temporary_folder() / \"a\");\n").empty());
}

TEST_CASE("a lock file names no download address") {
  CHECK(text_of("web/package-lock.json", "  \"resolved\": \"somewhere\",\n").size() == 1);
  CHECK(text_of("web/package-lock.json", "  \"version\": \"1.0.0\",\n").empty());
}

TEST_CASE("the newest entry of the changelog is of this version") {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/.github/CHANGELOG.md");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("## ")) {
  }
  CHECK(line.starts_with("## " MACROSTEP_VERSION " ("));
}

TEST_CASE("a folder has at most twenty source files") {
  const auto folder = [](std::size_t count) {
    std::vector<SourceFile> files{{"engine/scan/README.md", ""}, {"engine/scan/curves.csv", ""}};
    for (std::size_t i = 0; i < count; ++i)
      files.push_back({"engine/scan/a" + std::to_string(i) + ".cpp", ""});
    return check_room_sizes(files);
  };
  CHECK(folder(20).empty());
  CHECK(describe(folder(21)) == "engine/scan: 21 source files, at most 20\n");
}

TEST_CASE("a room includes itself and the rooms before it") {
  const std::vector<House> one{{"engine", {"engine/base", "engine/plan"}},
                               {"web/app", {"web/app/text", "web/app/shell"}}};
  const std::string plan = "#include \"engine/plan/plan.hpp\"\n";
  const std::string base = "\n#include \"engine/base/fnv.hpp\"\n";
  const auto order = [&](const std::string& fnv, const std::string& job) {
    return check_room_order(std::vector<SourceFile>{{"engine/base/fnv.hpp", fnv},
                                                    {"engine/plan/plan.hpp", ""},
                                                    {"engine/plan/job.hpp", job}},
                            one);
  };
  CHECK(order("", base + plan).empty());
  CHECK(describe(order(plan, base)) ==
        "engine/base/fnv.hpp:1: engine/base may not include from the later engine/plan\n");
  CHECK(describe(check_room_order(std::vector<SourceFile>{{"engine/loose.cpp", ""}}, one)) ==
        "engine: is not a room\n");
  const auto page = [&](const std::string& text, const std::string& shell) {
    return check_room_order(std::vector<SourceFile>{{"web/app/text/words.ts", text},
                                                    {"web/app/shell/later.tsx", shell}},
                            one);
  };
  CHECK(page("", "import { a } from \"../text/words\";\n").empty());
  CHECK(page("const p = () => import(\"../shell/later\");\n", "").size() == 1);
}

TEST_CASE("a README above a room names it") {
  const std::vector<House> one{{"engine", {"engine/base", "engine/plan"}}};
  const auto readme = [&](const std::string& text) {
    return check_room_readmes(std::vector<SourceFile>{{"engine/README.md", text}}, one);
  };
  CHECK(readme("| `base` | texts |\n| `plan` | the job |\n").empty());
  CHECK(describe(readme("| `base` | texts of the plan |\n")) ==
        "engine/plan: no README.md above it names the room\n");
}

TEST_CASE("units include each other without circles") {
  const auto units = [](const std::string& a_cpp, const std::string& b) {
    return check_circles(std::vector<SourceFile>{
        {"engine/a.hpp", ""}, {"engine/a.cpp", a_cpp}, {"engine/b.hpp", b}});
  };
  const std::string a = "#include \"engine/a.hpp\"\n";
  const std::string b = "#include \"engine/b.hpp\"\n";
  CHECK(units(a + b, "").empty());
  // A header may be innocent: the circle is closed by the source of its unit.
  CHECK(describe(units(a + b, a)) == "engine/a: a circle of units: engine/a, engine/b\n");
  const std::vector<SourceFile> page{{"web/app/a.ts", "import { b } from \"./b\";\n"},
                                     {"web/app/b.tsx", "import { a } from \"./a\";\n"}};
  CHECK(check_circles(page).size() == 1);
}

TEST_CASE("a source defines what its own header declares") {
  const auto source = [](const std::string& header, const std::string& text) {
    return check_own_header(
        std::vector<SourceFile>{{"engine/a.hpp", header}, {"engine/a.cpp", text}});
  };
  const std::string own = "#include \"engine/a.hpp\"\n";
  CHECK(source("int f(int x);\n", own + "int f(int x) {\n  return g(x);\n}\n").empty());
  CHECK(source("", own + "namespace {\nint f(int x) { return x; }\n}  // namespace\n").empty());
  CHECK(source("struct A {\n  int f();\n};\n", own + "int A::f() {\n  return 1;\n}\n").empty());
  CHECK(describe(source("// f\n", own + "int f(int x) {\n  return x;\n}\n")) ==
        "engine/a.cpp:2: defines f, which its header does not declare\n");
  CHECK(source("", own + "int B::f() {\n  return 1;\n}\n").size() == 1);
  CHECK(source("", "#include \"engine/b.hpp\"\n" + own).size() == 1);
  // A source in another room than its header has none.
  CHECK(describe(check_own_header(
            std::vector<SourceFile>{{"engine/x/a.hpp", ""}, {"engine/y/a.cpp", ""}})) ==
        "engine/y/a.cpp: has no header of its own\n");
  CHECK(check_own_header(std::vector<SourceFile>{{"server/main.cpp", ""}}).empty());
  CHECK(check_own_header(std::vector<SourceFile>{{"engine/a_avx2.cpp", ""}}).empty());
}

TEST_CASE("a comment is understood without the line above") {
  const auto comments = [](std::string text) {
    return check_comments({"engine/a.cpp", std::move(text)}).size();
  };
  CHECK(comments("// Of a trial.\nint a;\n  // The same for curves.\nint b;\n") == 2);
  CHECK(comments("/** Of a trial. */\nint a;\n/* Of it. */\nint b;\n/// The same; for curves.\n") ==
        3);
  CHECK(comments("// What a trial has\n// Of course\nint a;\n// Offers\nint b;\n") == 0);
}

TEST_CASE("the list of known violations only shrinks") {
  const Counted known = read_known("# why\n2 engine: is flat\n1 db: is round\n");
  CHECK(beyond_known({{"engine: is flat", 2}, {"db: is round", 1}}, known).empty());
  CHECK(beyond_known({{"engine: is flat", 3}, {"db: is round", 1}}, known) ==
        "new: 3 engine: is flat (listed: 2)\n");
  CHECK(beyond_known({{"engine: is flat", 1}, {"db: is round", 1}}, known) ==
        "fixed, so shorten the list: 2 engine: is flat (now: 1)\n");
  CHECK(beyond_known({{"a: new", 1}, {"engine: is flat", 2}}, known) ==
        "new: 1 a: new (listed: 0)\nfixed, so shorten the list: 1 db: is round (now: 0)\n");
}

TEST_CASE("the repository keeps its layout and dependency rules") {
  const std::vector<SourceFile> files = repository();
  REQUIRE(files.size() > 10);
  std::vector<Finding> findings = check_tree(files);
  for (const SourceFile& file : files) {
    std::ranges::copy(check_includes(file), std::back_inserter(findings));
    std::ranges::copy(check_text(file), std::back_inserter(findings));
  }
  const std::string message = describe(findings);
  CHECK_MESSAGE(findings.empty(), message);
}

TEST_CASE("the repository keeps the rules of its rooms, but for the known violations") {
  const std::vector<SourceFile> files = repository();
  std::vector<Finding> findings = check_room_sizes(files);
  std::ranges::copy(check_room_order(files, houses()), std::back_inserter(findings));
  std::ranges::copy(check_room_readmes(files, houses()), std::back_inserter(findings));
  std::ranges::copy(check_circles(files), std::back_inserter(findings));
  std::ranges::copy(check_own_header(files), std::back_inserter(findings));
  for (const SourceFile& file : files)
    std::ranges::copy(check_comments(file), std::back_inserter(findings));
  std::ifstream list(MACROSTEP_SOURCE_DIR "/tests/tidy/known_violations.txt");
  REQUIRE(list);
  const std::string known{std::istreambuf_iterator<char>(list), {}};
  const std::string message = beyond_known(counted(findings), read_known(known));
  CHECK_MESSAGE(message.empty(), message);
}
