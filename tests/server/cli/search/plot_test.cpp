// What `macrostep search --watch` takes and draws, without a server.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/text.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/search/residual_plot.hpp"
#include "server/cli/search/watch_address.hpp"

namespace {

using namespace macrostep::server;

std::vector<std::string> plot_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

/// E = H², over two decades of H.
PlottedCurve square_curve(bool chosen) {
  PlottedCurve curve{.points = {}, .is_chosen = chosen};
  for (int i = 0; i <= 20; ++i) {
    const double h = 1e-4 * std::pow(10.0, i / 10.0);
    curve.points.push_back({h, h * h});
  }
  return curve;
}

std::string refusal_of_address(const std::string& url) {
  try {
    watch_address(url);
  } catch (const CommandError& error) {
    CHECK(error.exit_code() == exit_usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a power law is a straight line from corner to corner of the drawing") {
  const PlotShape shape{.columns = 70, .rows = 20};
  const auto lines = plot_lines(residual_plot({square_curve(true)}, {}, shape));
  // A line per row, J above it; below it the axis, its labels and the legend.
  REQUIRE(lines.size() >= shape.rows + 4);
  std::vector<std::size_t> first;
  for (std::size_t row = 1; row <= shape.rows; ++row) {
    const auto at = lines[row].find('o');
    REQUIRE_MESSAGE(at != std::string::npos, lines[row]);
    first.push_back(at);
  }
  CHECK(std::ranges::is_sorted(first, std::greater()));
  // In a straight line every row takes as many columns as any other; both ends of a row are
  // rounded.
  const double slope = static_cast<double>(first.front() - first.back()) / 19.0;
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    CHECK(std::abs(static_cast<double>(first[row] - first[row + 1]) - slope) < 2.0);
  }
  for (const auto& line : lines) {
    CHECK(macrostep::engine::character_count(line) <= shape.columns);
  }
}

TEST_CASE("the axes are labelled with round numbers, and the marks stand at their H") {
  const PlotMarks marks{.macro_step_s = 1e-3, .bend_s = 2e-3, .cliff_s = 5e-3};
  const std::string text = residual_plot({square_curve(false)}, marks, {.columns = 80, .rows = 10});
  const auto lines = plot_lines(text);
  const auto& labels = lines[12];  // ms
  const auto column_of = [&](char mark) { return lines[1].find(mark, 11); };
  for (const auto& [label, mark] :
       std::vector<std::pair<std::string, char>>{{" 1 ", '|'}, {" 2 ", ':'}, {" 5 ", 'x'}}) {
    const auto at = (labels + " ").find(label);
    REQUIRE_MESSAGE(at != std::string::npos, text);
    CHECK_MESSAGE(std::abs(static_cast<double>(at + 1) - static_cast<double>(column_of(mark))) <= 1,
                  text);
  }
  for (const char* part : {"|: recommended H, 1 ms", ":: bend, 2 ms", "x: cliff, 5 ms", "1e-06"}) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  }
  CHECK(text.find("\033") == std::string::npos);
  CHECK(std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("in Braille a character holds eight dots, and the recommended curve is bold") {
  const PlotShape shape{.columns = 60, .rows = 8, .braille = true};
  const std::string text = residual_plot({square_curve(false), square_curve(true)}, {}, shape);
  CHECK(text.find("\033[1m\xE2\xA0") != std::string::npos);
  CHECK(text.find("bold: the recommended configuration") != std::string::npos);
  // One point, in the middle: one dot.
  const std::string point =
      residual_plot({PlottedCurve{.points = {{1e-3, 1.0}}, .is_chosen = false}}, {}, shape);
  std::size_t dots = 0;
  for (auto at = point.find("\xE2\xA0"); at != point.npos; at = point.find("\xE2\xA0", at + 1)) {
    ++dots;
  }
  CHECK(dots + (point.find("\xE2\xA1") != point.npos) + (point.find("\xE2\xA2") != point.npos) ==
        1);
}

TEST_CASE("what has no place on logarithmic axes is left out") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(residual_plot({}, {}, {}).empty());
  CHECK(residual_plot(
            {PlottedCurve{.points = {{1e-3, 0}, {0, 1}, {-1, 1}, {1e-3, nan}, {infinite, 1}},
                          .is_chosen = true}},
            {}, {})
            .empty());
  CHECK_FALSE(residual_plot({PlottedCurve{.points = {{1e-3, 1}, {2e-3, nan}, {3e-3, 1}}}}, {},
                            {.columns = 1, .rows = 0})
                  .empty());
  CHECK(bar(1, 2) == "[============            ]");
  CHECK(bar(0, 0) == "[                        ]");
  CHECK(bar(9, 3) == "[========================]");
}

TEST_CASE("the address to watch is a server's, or that of one of its searches") {
  struct Case {
    const char* url;
    const char* host;
    int port;
    const char* search;
  };
  for (const Case& test : {Case{"http://127.0.0.1:8080", "127.0.0.1", 8080, ""},
                           Case{"http://rig.example/", "rig.example", 80, ""},
                           Case{"http://[::1]:90/?search=a1b2", "::1", 90, "a1b2"},
                           Case{"http://h:1?search=a1&pick=3#x", "h", 1, "a1"},
                           Case{"http://h:1/api/v1/searches/18-ab", "h", 1, "18-ab"}}) {
    CAPTURE(test.url);
    const auto address = watch_address(test.url);
    CHECK(address.host == test.host);
    CHECK(address.port == test.port);
    CHECK(address.search == test.search);
  }
  for (const auto& [url, why] : std::vector<std::pair<std::string, std::string>>{
           {"127.0.0.1:8080", "must begin with http://"},
           {"https://h", "only http is spoken here"},
           {"http://", "names no host"},
           {"http://h:0", "the port must be a number"},
           {"http://h:65536", "the port must be a number"},
           {"http://h:8o", "the port must be a number"},
           {"http://[::1", "must end with ]"},
           {"http://[::1]x", "the port must be a number"},
           {"http://me:secret@h", "names no user"},
           {"http://h/api/v1/fmus/a", "must be the address of a server"},
           {"http://h/?search=a%20b", "is no id of a search"},
           {"http://h/?search=%zz", "cannot be read"}}) {
    CAPTURE(url);
    CHECK_MESSAGE(refusal_of_address(url).find(why) != std::string::npos, refusal_of_address(url));
  }
}
