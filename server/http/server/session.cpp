#include "server/http/server/session.hpp"

#include <exception>
#include <utility>

#include "server/http/message/policy.hpp"
#include "server/http/message/problem.hpp"

namespace macrostep::server::http {
namespace {

constexpr std::size_t events_per_pull = 256;
constexpr std::size_t bytes_per_pull = 256u << 10;  // what a slow reader of events can hold up
constexpr const char* retry_field = "retry: 2000\n\n";
constexpr const char* heartbeat_comment = ": heartbeat\n\n";
constexpr const char* continue_answer = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr const char* retry_after_s = "2";

/// Ends the counting of a request that is worked on.
class Counted {
 public:
  explicit Counted(std::atomic<std::size_t>* count) : count_(count) {}
  ~Counted() {
    if (count_ != nullptr) {
      --*count_;
    }
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<std::size_t>* count_;
};

}  // namespace

Session::Session(SessionContext& context, std::string remote, EventHub::Wake wake)
    : context_(context), wake_(std::move(wake)), reader_(context.options.limits) {
  record_.remote = std::move(remote);
}

Session::~Session() {
  const bool is_cut = phase_ == Phase::answering || phase_ == Phase::continuing ||
                      phase_ == Phase::working || phase_ == Phase::body || stream_.has_value();
  release_stream();
  if (is_cut) {
    log_request(context_.time_is_over ? CutBy::stop : CutBy::client);
  }
}

Step Session::start() {
  return advance();
}

Step Session::received(std::string_view bytes) {
  reader_.append(bytes);
  return advance();
}

Step Session::advance() {
  const Timeouts& timeouts = context_.options.timeouts;
  for (;;) {
    switch (reader_.advance()) {
      case RequestReader::State::header:
        if (reader_.started()) {
          return read_until(Phase::header, timeouts.header);
        }
        if (context_.draining) {
          return {};
        }
        return read_until(Phase::idle, timeouts.idle);
      case RequestReader::State::header_complete: {
        Request& request = reader_.request();
        request.id = context_.id_prefix + std::to_string(++context_.last_id);
        if (phase_ != Phase::header) {
          begin_ = Clock::now();
        }
        if (auto refusal = begin_request(request)) {
          return answer(std::move(*refusal), false);
        }
        phase_ = Phase::idle;
        break;
      }
      case RequestReader::State::body:
        if (phase_ != Phase::body && phase_ != Phase::continuing) {
          return begin_body();
        }
        return read_until(Phase::body, upload_ ? timeouts.upload : timeouts.body);
      case RequestReader::State::complete:
        return handle();
      case RequestReader::State::refused: {
        if (phase_ == Phase::idle) {
          begin_ = Clock::now();
        }
        const RequestReader::Refusal& refusal = reader_.refusal();
        return answer(problem_response(refusal.status, refusal.detail), false);
      }
    }
  }
}

/// A deadline belongs to the phase, not to the read: a byte a second does not extend it.
Step Session::read_until(Phase phase, std::chrono::milliseconds timeout) {
  if (phase_ != phase || phase == Phase::idle) {
    const bool first_byte = phase == Phase::header;
    phase_ = phase;
    deadline_ = Clock::now() + timeout;
    if (first_byte) {
      begin_ = Clock::now();
    }
  }
  return {Step::Do::read, deadline_, {}};
}

Step Session::begin_body() {
  if (reader_.expects_continue() && !reader_.has_pending()) {
    return write(Phase::continuing, continue_answer);
  }
  const Timeouts& timeouts = context_.options.timeouts;
  return read_until(Phase::body, upload_ ? timeouts.upload : timeouts.body);
}

/// The headers are complete: an answer if it goes no further.
std::optional<Response> Session::begin_request(Request& request) {
  destination_ = context_.router->find(request);
  record_.route = destination_.pattern;
  const bool is_upload = destination_.route != nullptr && destination_.route->upload.has_value();
  const UploadRoute* route = is_upload ? &*destination_.route->upload : nullptr;
  auto refusal = route == nullptr
                     ? refuse(request, reader_.has_body(), context_.hosts)
                     : refuse(request, reader_.has_body(), context_.hosts, route->media_types);
  if (!refusal && context_.guard) {
    refusal = context_.guard(request);
  }
  if (refusal || route == nullptr) {
    return refusal;
  }
  auto begun = route->begin(request);
  if (auto* answer = std::get_if<Response>(&begun)) {
    return std::move(*answer);
  }
  upload_ = std::get<Upload>(std::move(begun));
  reader_.hand_on_body(route->max_bytes, upload_->take);
  return std::nullopt;
}

Step Session::handle() {
  whole_request_ = true;
  if (destination_.route == nullptr ||
      work_of(*destination_.route, reader_.request()) == Work::quick) {
    return respond();
  }
  if (++context_.lengthy > context_.options.max_lengthy && !upload_) {  // which was let in before
    --context_.lengthy;
    Response refusal = problem_response(503, "Too many lengthy requests are under way; try again");
    refusal.with("retry-after", retry_after_s);
    return answer(std::move(refusal), reader_.keep_alive() && !context_.draining);
  }
  phase_ = Phase::working;
  return {Step::Do::work, {}, {}};
}

Step Session::respond() {
  const Counted lengthy(phase_ == Phase::working ? &context_.lengthy : nullptr);
  Response response;
  try {
    response = upload_ ? context_.router->answer(upload_->finish, reader_.request())
                       : context_.router->handle(reader_.request(), destination_);
    if (response.stream) {
      return open_stream(std::move(response));
    }
  } catch (const std::exception& error) {
    record_.error = error.what();
    response = problem_response(500, "The log has the cause under the id of this request");
  }
  return answer(std::move(response), reader_.keep_alive() && !context_.draining);
}

Step Session::answer(Response response, bool keep_alive) {
  if (upload_) {
    upload_.reset();
    reader_.hand_on_body(0, nullptr);  // what took it is gone
  }
  Request& request = reader_.request();
  if (request.id.empty()) {
    request.id = context_.id_prefix + std::to_string(++context_.last_id);
  }
  complete_response(request, response);
  record_.status = response.status;
  keep_alive_ = keep_alive;
  return write(Phase::answering, response_text(request, response, keep_alive));
}

Step Session::open_stream(Response response) {
  const bool keep_alive = reader_.keep_alive() && !context_.draining;
  response.with("content-type", "text/event-stream");
  response.with("cache-control", "no-store");
  response.with("x-accel-buffering", "no");  // a proxy must not hold events back
  if (reader_.request().method == "HEAD") {
    return answer(std::move(response), false);
  }

  if (context_.draining) {
    return answer(problem_response(503, "The server is stopping"), false);
  }
  if (++context_.streams > context_.options.max_streams) {
    --context_.streams;
    Response refusal = problem_response(503, "Too many event streams are open");
    refusal.with("retry-after", retry_after_s);
    return answer(std::move(refusal), keep_alive);
  }
  stream_ = *response.stream;
  stream_finished_ = false;
  // Subscribed before the first pull: what is stored in between wakes the stream.
  if (stream_->hub) {
    subscription_ = stream_->hub->subscribe(wake_);
  }
  std::string frames;
  try {
    frames = next_frames();
  } catch (...) {
    release_stream();
    throw;
  }
  if (stream_finished_ && frames.empty()) {
    release_stream();
    Response nothing;
    nothing.status = 204;
    return answer(std::move(nothing), keep_alive);
  }
  response.status = 200;
  record_.status = 200;
  complete_response(reader_.request(), response);
  return write(Phase::streaming,
               response_text(reader_.request(), response, false) + retry_field + frames);
}

/// The frames after the last sequence sent, as many as one write may hold.
std::string Session::next_frames() {
  const EventBatch batch = stream_->source(stream_->after, events_per_pull);
  std::string frames;
  bool all = true;
  for (const Event& event : batch.events) {
    if (event.sequence <= stream_->after) {
      continue;  // never send one twice, never loop on it
    }
    if (frames.size() >= bytes_per_pull) {
      all = false;
      break;
    }
    frames += event_frame(event);
    stream_->after = event.sequence;
  }
  stream_finished_ = batch.finished && all;
  return frames;
}

Step Session::pull() {
  if (stream_finished_ || context_.draining) {
    return end_stream();
  }
  std::string frames;
  try {
    frames = next_frames();
  } catch (const std::exception& error) {
    record_.error = error.what();
    return end_stream();
  }
  if (!frames.empty()) {
    return write(Phase::streaming, std::move(frames));
  }
  if (stream_finished_) {
    return end_stream();
  }
  phase_ = Phase::silent;
  return {Step::Do::wait, Clock::now() + context_.options.timeouts.heartbeat, {}};
}

Step Session::end_stream() {
  release_stream();
  log_request(CutBy::nobody);
  phase_ = Phase::ended;
  return {};
}

Step Session::write(Phase phase, std::string bytes) {
  phase_ = phase;
  writing_ = bytes.size();
  return {Step::Do::write, {}, std::move(bytes)};
}

Step Session::written() {
  record_.bytes += writing_;
  if (phase_ == Phase::continuing) {
    return advance();
  }
  if (phase_ == Phase::streaming) {
    return pull();
  }
  log_request(CutBy::nobody);
  phase_ = Phase::idle;
  if (!keep_alive_) {
    phase_ = Phase::ended;
    // Closing with unread bytes would reset the connection and could destroy the answer. Whoever is
    // sent away by a stop may have sent the next request already.
    const bool may_send_more = !whole_request_ || context_.draining;
    return {may_send_more ? Step::Do::linger : Step::Do::close, {}, {}};
  }
  whole_request_ = false;
  reader_.next();
  return advance();
}

Step Session::timed_out() {
  switch (phase_) {
    case Phase::header:
    case Phase::body:
      return answer(problem_response(408, "The request did not arrive in time"), false);
    case Phase::silent:
      return write(Phase::streaming, heartbeat_comment);
    default:
      return {};
  }
}

Step Session::woken() {
  return pull();
}

std::optional<Step> Session::drain() {
  if (phase_ == Phase::silent) {
    return end_stream();
  }
  if (phase_ == Phase::idle) {
    return Step{};
  }
  return std::nullopt;
}

void Session::log_request(CutBy cut_by) {
  const Request& request = reader_.request();
  record_.request_id = request.id;
  record_.method = request.method;
  record_.path = request.target.path;
  record_.duration = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_);
  record_.cut_by = cut_by;
  if (context_.log) {
    context_.log(record_);
  }
  record_.bytes = 0;
  record_.status = 0;
  record_.route.clear();
  record_.error.clear();
}

void Session::release_stream() {
  if (!stream_) {
    return;
  }
  subscription_ = {};
  stream_.reset();
  --context_.streams;
}

}  // namespace macrostep::server::http
