// What moving the write-ahead log into the file has done.
#pragma once

#include <cstdint>

namespace macrostep::db {

struct Checkpoint {
  bool blocked = false;        // a reader still needs a part of the log, which therefore stays
  std::int64_t log_pages = 0;  // pages in the write-ahead log before the checkpoint
};

}  // namespace macrostep::db
