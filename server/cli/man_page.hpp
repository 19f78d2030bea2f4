// The manual page, in the language of man(7).
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace macrostep::server {

/// The manual page of the whole program: its commands, each with its options, as in their help.
std::string man_page(const CLI::App& program, const std::string& version);

}  // namespace macrostep::server
