// One connection without its socket: bytes and time go in, steps come out.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message/events.hpp"
#include "server/http/message/message.hpp"
#include "server/http/server/options.hpp"
#include "server/http/server/request_reader.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server::http {

/// What all connections of a listener share.
struct SessionContext {
  ListenerOptions options;
  const Router* router = nullptr;
  Guard guard;  ///< may be empty
  AccessLog log;
  std::vector<std::string> hosts;  ///< accepted_hosts() of the bound port
  std::string id_prefix;           ///< makes request ids differ between runs
  std::atomic<std::uint64_t> last_id{0};
  std::atomic<std::size_t> streams{0};
  std::atomic<std::size_t> lengthy{0};  ///< requests that are worked on, or wait for it
  std::atomic<bool> draining{false};
  std::atomic<bool> time_is_over{false};  ///< Timeouts::shutdown since draining
};

/// What the socket has to do next.
struct Step {
  enum class Do {
    read,    ///< read some, then received(); at the deadline timed_out()
    write,   ///< write all of `bytes`, then written(); an event stream is also watched for its end
    work,    ///< respond() on another thread; what it returns is next
    wait,    ///< an event stream is silent: woken(), or at the deadline timed_out()
    linger,  ///< send the end of the stream, read away what comes for a bounded time, close
    close
  };
  Do what = Do::close;
  std::chrono::steady_clock::time_point deadline{};  ///< of read and wait
  std::string bytes;
};

/// The life of one connection without its socket: bytes and time in, steps out. Request after
/// request, or one event stream, and the access log of both. One call at a time.
class Session {
 public:
  /// `wake` is subscribed to the event hub of a stream (see EventHub::subscribe).
  Session(SessionContext& context, std::string remote, EventHub::Wake wake);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Step start();
  Step received(std::string_view bytes);
  /// The answer to the request, of Do::work on any thread. Nothing else is called meanwhile.
  Step respond();
  Step written();
  Step timed_out();
  Step woken();
  /// The listener is stopping: what to do at once, if anything.
  std::optional<Step> drain();

  bool streaming() const { return stream_.has_value(); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase { idle, header, body, continuing, working, answering, streaming, silent, ended };

  Step advance();
  Step read_until(Phase phase, std::chrono::milliseconds timeout);
  Step begin_body();
  std::optional<Response> begin_request(Request& request);
  Step handle();
  Step answer(Response response, bool keep_alive);
  Step open_stream(Response response);
  Step pull();
  Step end_stream();
  std::string next_frames();
  Step write(Phase phase, std::string bytes);
  void log_request(CutBy cut_by);
  void release_stream();

  SessionContext& context_;
  EventHub::Wake wake_;
  RequestReader reader_;
  Phase phase_ = Phase::idle;
  Clock::time_point begin_{};  // of the current request
  Clock::time_point deadline_{};
  AccessRecord record_;
  std::size_t writing_ = 0;  // bytes of the write under way
  bool keep_alive_ = false;
  bool whole_request_ = false;    // nothing of it is left to read
  Destination destination_;       // of the current request
  std::optional<Upload> upload_;  // of the current request
  std::optional<EventStream> stream_;
  bool stream_finished_ = false;
  EventHub::Subscription subscription_;
};

}  // namespace macrostep::server::http
