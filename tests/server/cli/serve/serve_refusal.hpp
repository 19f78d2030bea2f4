// A server that is expected not to start.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/db/fixtures.hpp"
#include "tests/server/cli/serve/serve_process.hpp"

namespace macrostep::tests {

/// What a server that does not start says, which is one line; its exit code goes to `code`.
inline std::string refusal(const db::testing::TemporaryDirectory& directory,
                           std::vector<std::string> arguments, int& code,
                           std::vector<std::string> variables = {}) {
  ServeProcess server(std::move(arguments), directory.file("refused.log"), std::move(variables));
  const int status = server.wait();
  REQUIRE(WIFEXITED(status));
  code = WEXITSTATUS(status);
  const auto text = server.log();
  CHECK_MESSAGE(std::ranges::count(text, '\n') == 1, text);
  return text;
}

inline bool contains(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "\"" << part << "\" in \"" << text << "\"");
  return found;
}

}  // namespace macrostep::tests
