// macrostep search --watch URL: follows a search that a server runs.
#pragma once

#include <string>

namespace macrostep::server {

struct WatchOptions {
  std::string url;         ///< as watch_address() takes it
  std::string token_file;  ///< empty: none
  bool json = false;
};

/// Shows progress and residual curves on stderr while it runs, where that is a terminal, and at its
/// end the answer with the curves on stdout, or with `json` all of it. A server that goes away is
/// waited for. Returns what `macrostep search` would: 130 also where Ctrl-C ends the watching,
/// which leaves the search alone. Throws CommandError.
int watch_search(const WatchOptions& options);

}  // namespace macrostep::server
