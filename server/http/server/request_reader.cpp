#include "server/http/server/request_reader.hpp"

#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <utility>

namespace macrostep::server::http {
namespace {

namespace beast = boost::beast;
using beast::error_code;
using BeastText = beast::string_view;
using BeastError = beast::http::error;

/// Headers that decide something and mean something else when they come twice.
constexpr const char* single_headers[] = {
    "host",   "content-length", "transfer-encoding", "content-type",   "content-encoding",
    "expect", "origin",         "sec-fetch-site",    "sec-fetch-mode", "last-event-id"};

/// "0\r\n\r\n", which ends every chunked body: with less there is always more to come. Beast 1.81
/// fails an assertion when it is asked to go on with the four bytes "0\r\nX".
constexpr std::size_t last_chunk_bytes = 5;

std::string lower_case(BeastText text) {
  std::string result(text.data(), text.size());
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return result;
}

/// Fills a Request from Beast's parsing events.
class Parser : public beast::http::basic_parser<true> {
 public:
  explicit Parser(const RequestLimits& limits) : limits_(limits), body_limit_(limits.body_bytes) {
    // The reader counts raw bytes itself; Beast's own limit only bounds its search.
    header_limit(static_cast<std::uint32_t>(limits.header_bytes + 1));
    body_limit(boost::none);
    eager(false);
  }

  Request request;
  std::optional<RequestReader::Refusal> refusal;
  std::string expect;

  void refuse(int status, std::string detail) {
    if (!refusal) {
      refusal = RequestReader::Refusal{status, std::move(detail)};
    }
  }

  /// Once the headers are complete: everything Beast accepts and this server does not.
  void check_header() {
    for (const char* name : single_headers) {
      std::size_t count = 0;
      for (const NamedValue& header : request.headers) {
        count += header.first == name ? 1u : 0u;
      }
      if (count > 1) {
        return refuse(400, std::string("The header ") + name + " comes twice");
      }
    }
    if (request.header("host") == nullptr) {
      return refuse(400, "The Host header is missing");
    }
    if (const std::string* coding = request.header("transfer-encoding")) {
      if (lower_case(*coding) != "chunked") {
        return refuse(400, "Transfer-Encoding must be chunked");
      }
      if (version_ < 11) {
        return refuse(400, "HTTP/1.0 has no Transfer-Encoding");
      }
      if (request.header("content-length") != nullptr) {
        return refuse(400, "Content-Length and Transfer-Encoding exclude each other");
      }
    }
    if (const std::string* length = request.header("content-length")) {
      // Beast takes "3, 3" for 3.
      if (length->find_first_not_of("0123456789") != length->npos) {
        return refuse(400, "Content-Length must be one number");
      }
    }
    std::optional<Target> target = http::parse_target(target_);
    if (!target) {
      return refuse(400, "The request target is not a well-formed path and query");
    }
    request.target = std::move(*target);
    if (const std::string* value = request.header("expect")) {
      expect = lower_case(*value);
    }
  }

  void hand_on_body(std::uint64_t max_bytes, std::function<void(std::string_view)> take) {
    body_limit_ = max_bytes;
    take_ = std::move(take);
  }

  std::uint64_t body_bytes() const { return body_bytes_; }

  void check_length() {
    const auto length = content_length();
    if (length && *length > body_limit_) {
      refuse_body();
    }
  }

  bool is_http_1_1() const { return version_ == 11; }

 private:
  void refuse_body() {
    refuse(413, "The body is longer than " + std::to_string(body_limit_) + " bytes");
  }

  void on_request_impl(beast::http::verb, BeastText method, BeastText target, int version,
                       error_code&) override {
    request.method.assign(method.data(), method.size());
    target_.assign(target.data(), target.size());
    version_ = version;
  }

  void on_response_impl(int, BeastText, int, error_code&) override {}

  void on_field_impl(beast::http::field, BeastText name, BeastText value,
                     error_code& error) override {
    if (header_done_) {  // a trailer: counted and dropped, it must not overrule a header
      trailer_bytes_ += name.size() + value.size();
      if (++trailers_ > limits_.trailers || trailer_bytes_ > limits_.trailer_bytes) {
        refuse(400, "Too many trailers");
        error = BeastError::bad_field;
      }
      return;
    }
    if (request.headers.size() >= limits_.headers) {
      refuse(431, "More than " + std::to_string(limits_.headers) + " headers");
      error = BeastError::header_limit;
      return;
    }
    request.headers.emplace_back(lower_case(name), std::string(value.data(), value.size()));
  }

  void on_header_impl(error_code&) override { header_done_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}

  std::size_t on_body_impl(BeastText part, error_code& error) override {
    if (part.size() > body_limit_ - body_bytes_) {
      refuse_body();
      error = BeastError::body_limit;
      return 0;
    }
    body_bytes_ += part.size();
    if (take_) {
      take_({part.data(), part.size()});
    } else {
      request.body.append(part.data(), part.size());
    }
    return part.size();
  }

  void on_chunk_header_impl(std::uint64_t size, BeastText extensions, error_code& error) override {
    if (size > body_limit_ - body_bytes_) {
      refuse_body();
      error = BeastError::body_limit;
      return;
    }
    if (extensions.size() > limits_.chunk_extension_bytes) {
      refuse(400, "A chunk extension is too long");
      error = BeastError::bad_chunk_extension;
    }
  }

  std::size_t on_chunk_body_impl(std::uint64_t, BeastText part, error_code& error) override {
    return on_body_impl(part, error);
  }

  void on_finish_impl(error_code&) override {}

  const RequestLimits& limits_;
  std::uint64_t body_limit_;
  std::uint64_t body_bytes_ = 0;
  std::function<void(std::string_view)> take_;  // in place of request.body
  std::string target_;
  int version_ = 0;
  bool header_done_ = false;
  std::size_t trailers_ = 0;
  std::size_t trailer_bytes_ = 0;
};

}  // namespace

struct RequestReader::Impl {
  explicit Impl(const RequestLimits& request_limits) : limits(request_limits) {
    parser.emplace(limits);
  }

  std::size_t pending() const { return buffer.size() - read; }

  /// Counts raw bytes, in whatever form they come. Bytes the parser leaves pending when it asks
  /// for more are an unfinished line of the header or of chunk framing.
  void check_size(bool starved) {
    const std::size_t unfinished = starved ? pending() : 0;
    if (header_bytes == 0) {
      if (raw_bytes + unfinished > limits.header_bytes) {
        refuse_header();
      }
      if (starved) {
        check_line_ends();
      }
    } else if (parser->chunked()) {
      const std::uint64_t framing = raw_bytes - header_bytes - parser->body_bytes();
      if (framing + unfinished > limits.framing_bytes + parser->body_bytes()) {
        parser->refuse(400, "More chunk framing than body");
      }
    }
  }

  /// Beast would wait for a carriage return until the deadline.
  void check_line_ends() {
    for (std::size_t at = read; (at = buffer.find('\n', at)) != buffer.npos; ++at) {
      if (at == 0 || buffer[at - 1] != '\r') {
        parser->refuse(400, "A line must end with CRLF");
      }
    }
  }

  /// Beast joins a header that goes on in the next line; others take that line for a header.
  void check_folds(std::string_view header) {
    if (header.find("\n ") != header.npos || header.find("\n\t") != header.npos) {
      parser->refuse(400, "A header must not go on in the next line");
    }
  }

  void refuse_header() {
    parser->refuse(431, "Request line and headers are longer than " +
                            std::to_string(limits.header_bytes) + " bytes");
  }

  State parse() {
    while (!parser->is_done()) {
      error_code error = BeastError::need_more;
      const bool in_chunks = header_bytes > 0 && parser->chunked();
      if (pending() >= (in_chunks ? last_chunk_bytes : 1)) {
        const std::size_t used = parser->put({buffer.data() + read, pending()}, error);
        if (header_bytes == 0) {
          check_folds(std::string_view(buffer).substr(read, used));
        }
        read += used;
        raw_bytes += used;
      }
      const bool starved = error == BeastError::need_more;
      check_size(starved);
      if (error == BeastError::header_limit) {
        refuse_header();
      }
      if (error && !starved) {
        parser->refuse(400, "The request is malformed: " + error.message());
      }
      if (parser->refusal) {
        return State::refused;
      }
      if (header_bytes == 0 && parser->is_header_done()) {
        header_bytes = raw_bytes;
        parser->check_header();
        return parser->refusal ? State::refused : State::header_complete;
      }
      if (starved) {
        return parser->is_header_done() ? State::body : State::header;
      }
    }
    return State::complete;
  }

  const RequestLimits limits;
  std::optional<Parser> parser;
  std::string buffer;
  std::size_t read = 0;            // of the buffer, by the parser
  std::uint64_t raw_bytes = 0;     // of the current request, by the parser
  std::uint64_t header_bytes = 0;  // of those, request line and headers
  bool length_checked = false;
};

RequestReader::RequestReader(const RequestLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestReader::~RequestReader() = default;

void RequestReader::append(std::string_view bytes) {
  impl_->buffer.erase(0, impl_->read);
  impl_->read = 0;
  impl_->buffer += bytes;
}

RequestReader::State RequestReader::advance() {
  Parser& parser = *impl_->parser;
  if (parser.refusal) {
    return State::refused;
  }
  if (parser.is_header_done() && !impl_->length_checked) {
    impl_->length_checked = true;
    parser.check_length();
    if (parser.refusal) {
      return State::refused;
    }
  }
  return impl_->parse();
}

void RequestReader::next() {
  impl_->parser.emplace(impl_->limits);
  impl_->raw_bytes = impl_->header_bytes = 0;
  impl_->length_checked = false;
}

void RequestReader::hand_on_body(std::uint64_t max_bytes,
                                 std::function<void(std::string_view piece)> take) {
  impl_->parser->hand_on_body(max_bytes, std::move(take));
}

bool RequestReader::started() const {
  return impl_->raw_bytes > 0 || impl_->pending() > 0;
}
bool RequestReader::has_pending() const {
  return impl_->pending() > 0;
}
Request& RequestReader::request() {
  return impl_->parser->request;
}
const RequestReader::Refusal& RequestReader::refusal() const {
  return *impl_->parser->refusal;
}

bool RequestReader::has_body() const {
  const auto length = impl_->parser->content_length();
  return impl_->parser->chunked() || (length && *length > 0);
}

bool RequestReader::keep_alive() const {
  return impl_->parser->is_http_1_1() && impl_->parser->keep_alive();
}

bool RequestReader::expects_continue() const {
  return impl_->parser->is_http_1_1() && impl_->parser->expect == "100-continue";
}

}  // namespace macrostep::server::http
