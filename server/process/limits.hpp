// The resources that the processes of a sandbox may take.
#pragma once

#include <cstdint>

namespace macrostep::server {

/// What the system counts resident memory in.
inline constexpr std::int64_t bytes_per_kibibyte = 1024;

struct Limits {
  std::int64_t memory_bytes = 0;  ///< of address space; 0: no limit, of any of them
  std::int64_t file_bytes = 0;    ///< of a file
  std::int64_t cpu_s = 0;         ///< processor time, all threads together
  int files = 0;                  ///< open at a time
  int threads = 0;
};

/// Limits this process and those that it starts, for good. Throws std::system_error.
void limit_this_process(const Limits& limits);

/// Ends this process when the thread that started it ends; at once, if it has already.
void die_with(std::int64_t parent_process);

}  // namespace macrostep::server
