// What a worker process and the process that started it send each other over a stream socket.
//
//   frame = kind (32 bits) · size of the content (32 bits) · content
//
//   to the worker      settings   once, first: JSON
//                      job        its number, a line break, and JSON; before its first task
//                      task       its number, a line break, and JSON
//   from the worker    ready      JSON, once after the settings and once after each job
//                      trace      doubles, any number of times while a task runs
//                      finding    JSON, any number of times while functions are called
//                      reply      the number of its task, a line break, and JSON, once per task
//
// Code that is not ours runs in the worker and can write to the socket as well: a receiver takes
// nothing for granted but the sizes it has checked.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace macrostep::server {

/// The largest frame to a worker: a job with long records.
inline constexpr std::size_t max_frame_bytes = 256U << 20U;
/// The largest frame from a worker: the energies of a million macro-steps. A trace comes in many
/// frames.
inline constexpr std::size_t max_reply_bytes = 64U << 20U;

/// Read at a time.
inline constexpr std::size_t receive_bytes = 64U << 10U;

enum class FrameKind : std::uint32_t { settings = 1, job, task, ready, trace, finding, reply };

struct Frame {
  FrameKind kind = FrameKind::reply;
  std::string content;
};

/// What a job, a task and its reply consist of, in one frame.
std::string numbered(std::int64_t number, std::string_view content);
struct Numbered {
  std::int64_t number = 0;
  std::string_view content;
};
/// Throws BadFrame.
Numbered read_numbered(std::string_view text);

/// The other side does not keep to the form above.
struct BadFrame : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Collects bytes as they come and hands out whole frames.
class FrameBuffer {
 public:
  explicit FrameBuffer(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  void add(std::string_view bytes) { bytes_ += bytes; }
  /// The next frame if all of it is there. Throws BadFrame.
  std::optional<Frame> take();

 private:
  std::size_t max_bytes_;  ///< of a frame
  std::string bytes_;
  std::size_t taken_ = 0;
};

std::string frame_bytes(FrameKind kind, std::string_view content);

/// How long to wait for the other side: for ever, unless there is a deadline or the flag is set.
struct Patience {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* stop = nullptr;
};

/// Writes all of it to a socket, waiting where the other side is slow. False if there is no other
/// side any more, or it has not read all while there was patience.
bool send_all(int socket, std::string_view bytes, const Patience& patience = {});

/// Waits for the next frame; nothing when the other side has closed.
std::optional<Frame> receive(int socket, FrameBuffer& buffer);

}  // namespace macrostep::server
