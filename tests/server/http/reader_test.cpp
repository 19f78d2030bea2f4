// The request reader over byte strings. Every case is fed whole and byte by byte: where the network
// cuts a stream must not change what is read.
#include <doctest/doctest.h>

#include "server/http/server/request_reader.hpp"

using namespace macrostep::server::http;

namespace {

struct ReadOutcome {
  std::vector<std::string> requests;  // "METHOD path body"
  int refused = 0;                    // status, 0 if the reader waits for more
  std::string detail;
};

ReadOutcome read_all(const std::string& bytes, std::size_t piece,
                     const RequestLimits& limits = {}) {
  RequestReader reader(limits);
  ReadOutcome outcome;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.append(std::string_view(bytes).substr(at, piece));
    for (bool more = true; more;) {
      switch (reader.advance()) {
        case RequestReader::State::complete: {
          const Request& request = reader.request();
          outcome.requests.push_back(request.method + ' ' + request.target.path + ' ' +
                                     request.body);
          reader.next();
          break;
        }
        case RequestReader::State::refused:
          outcome.refused = reader.refusal().status;
          outcome.detail = reader.refusal().detail;
          return outcome;
        case RequestReader::State::header_complete:
          break;
        default:
          more = false;
      }
    }
  }
  return outcome;
}

std::string repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

const std::string host_header = "Host: a\r\n";
const std::string chunked_post = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

}  // namespace

TEST_CASE("requests are read one after the other, however the bytes are cut") {
  const std::string bytes = "GET /a?x=1 HTTP/1.1\r\n" + host_header + "\r\n" +
                            "POST /b HTTP/1.1\r\n" + host_header +
                            "Content-Length: 5\r\n\r\nhello" + chunked_post +
                            "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX-Check: 1\r\n\r\n" +
                            "GET /c HTTP/1.1\r\n" + host_header + "\r\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, bytes.size()}) {
    CAPTURE(piece);
    const ReadOutcome outcome = read_all(bytes, piece);
    CHECK(outcome.refused == 0);
    CHECK(outcome.requests ==
          std::vector<std::string>{"GET /a ", "POST /b hello", "POST / abcde", "GET /c "});
  }
}

TEST_CASE("a trailer does not become a header") {
  RequestReader reader(RequestLimits{});
  reader.append(chunked_post + "0\r\nSec-Fetch-Site: same-origin\r\n\r\n");
  CHECK(reader.advance() == RequestReader::State::header_complete);
  CHECK(reader.advance() == RequestReader::State::complete);
  CHECK(reader.request().header("sec-fetch-site") == nullptr);
}

TEST_CASE("malformed and ambiguous requests are refused") {
  struct Case {
    std::string name;
    std::string bytes;
    int status;
  };
  const std::string line = "POST / HTTP/1.1\r\n";
  const Case cases[] = {
      {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"no host in 1.0", "GET / HTTP/1.0\r\n\r\n", 400},
      {"two hosts", "GET / HTTP/1.1\r\n" + host_header + host_header + "\r\n", 400},
      {"absolute target", "GET http://a/ HTTP/1.1\r\n" + host_header + "\r\n", 400},
      {"authority target", "CONNECT a:80 HTTP/1.1\r\n" + host_header + "\r\n", 400},
      {"target with control byte", "GET /\x01 HTTP/1.1\r\n" + host_header + "\r\n", 400},
      {"broken percent-encoding", "GET /%zz HTTP/1.1\r\n" + host_header + "\r\n", 400},
      {"HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
      {"HTTP/0.9", "GET /\r\n\r\n", 400},
      {"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
      {"space before colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"folded header", "GET / HTTP/1.1\r\n" + host_header + "X: a\r\n b\r\n\r\n", 400},
      {"header folded by a tab", line + host_header + "X: a\r\n\tContent-Length: 3\r\n\r\n", 400},
      {"fold after the request line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
      {"TLS hello", std::string("\x16\x03\x01\x02\x00\x01\x00", 7), 400},
      {"NUL in a header", std::string("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 29), 400},
      {"TE gzip", line + host_header + "Transfer-Encoding: gzip\r\n\r\n", 400},
      {"TE gzip, chunked", line + host_header + "Transfer-Encoding: gzip, chunked\r\n\r\n", 400},
      {"TE chunked, chunked", line + host_header + "Transfer-Encoding: chunked, chunked\r\n\r\n",
       400},
      {"TE identity", line + host_header + "Transfer-Encoding: identity\r\n\r\n", 400},
      {"TE twice",
       line + host_header + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"TE and CL", line + host_header + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
       400},
      {"CL and TE", line + host_header + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"chunked in 1.0",
       "POST / HTTP/1.0\r\n" + host_header + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"two lengths", line + host_header + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n", 400},
      {"same length twice", line + host_header + "Content-Length: 3\r\nContent-Length: 3\r\n\r\n",
       400},
      {"length list", line + host_header + "Content-Length: 3, 3\r\n\r\n", 400},
      {"signed length", line + host_header + "Content-Length: +3\r\n\r\n", 400},
      {"negative length", line + host_header + "Content-Length: -3\r\n\r\n", 400},
      {"length beyond 64 bits", line + host_header + "Content-Length: 99999999999999999999\r\n\r\n",
       400},
      {"huge length", line + host_header + "Content-Length: 9999999999\r\n\r\n", 413},
      {"huge chunk", chunked_post + "FFFFFFFFFFFFFFFF\r\n", 413},
      {"chunk beyond the body limit", chunked_post + "1\r\na\r\n800000\r\n", 413},
      {"bad chunk size", chunked_post + "x\r\n\r\n", 400},
      {"chunk size beyond 64 bits", chunked_post + "fffffffffffffffff\r\n", 400},
      {"chunk without line end", chunked_post + "1\r\nabc\r\n0\r\n\r\n", 400},
      {"long request line", "GET /" + std::string(20'000, 'a'), 431},
      {"long header", "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a'), 431},
      {"long complete header",
       "GET / HTTP/1.1\r\n" + host_header + "X: " + std::string(17'000, 'a') + "\r\n\r\n", 431},
      {"many headers", "GET / HTTP/1.1\r\n" + host_header + repeat("A: b\r\n", 200) + "\r\n", 431},
      {"many trailers", chunked_post + "0\r\n" + repeat("A: b\r\n", 100) + "\r\n", 400},
      {"long trailer", chunked_post + "0\r\nA: " + std::string(8'000, 'a') + "\r\n\r\n", 400},
      {"endless trailer", chunked_post + "0\r\nA: " + std::string(40'000, 'a'), 400},
      {"long chunk extension", chunked_post + "1;a=" + std::string(1'000, 'a') + "\r\na\r\n", 400},
      {"endless chunk extension", chunked_post + "1;a=" + std::string(40'000, 'a'), 400},
      {"a byte a chunk", chunked_post + repeat("1\r\na\r\n", 10'000), 400},
      {"small chunks with extensions",
       chunked_post + repeat("1;" + std::string(100, 'a') + "\r\na\r\n", 1'000), 400},
  };
  for (const Case& test : cases) {
    CAPTURE(test.name);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, test.bytes.size()}) {
      CAPTURE(piece);
      const ReadOutcome outcome = read_all(test.bytes, piece);
      CHECK(outcome.refused == test.status);
      CHECK(outcome.requests.empty());
      CHECK_FALSE(outcome.detail.empty());
    }
  }
}

TEST_CASE("the body limit counts what arrives and what a chunk announces") {
  RequestLimits limits;
  limits.body_bytes = 10;
  CHECK(read_all(chunked_post + "a\r\n0123456789\r\n0\r\n\r\n", 3, limits).requests.size() == 1);
  CHECK(read_all(chunked_post + "a\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\n", 3, limits).refused ==
        413);
  CHECK(read_all(chunked_post + "fffffff\r\n" + std::string(20, 'a'), 3, limits).refused == 413);
  // The headers are judged before the length: a foreign Host is told so, whatever it sends.
  RequestReader reader(limits);
  reader.append("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n");
  CHECK(reader.advance() == RequestReader::State::header_complete);
  CHECK(reader.advance() == RequestReader::State::refused);
  CHECK(reader.refusal().status == 413);
}
