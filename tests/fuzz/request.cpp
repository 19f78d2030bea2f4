// Any bytes as what a client sends, whole and in two pieces: requests or refusals, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/http/server/request_reader.hpp"

namespace {

using macrostep::server::http::RequestReader;

/// Reads on until more bytes are needed or the connection would be closed.
void read_all(RequestReader& reader) {
  for (;;) {
    switch (reader.advance()) {
      case RequestReader::State::header:
      case RequestReader::State::body:
      case RequestReader::State::refused:
        return;
      case RequestReader::State::header_complete:
        break;
      case RequestReader::State::complete:
        reader.next();
        break;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RequestReader whole({});
  whole.append(bytes);
  read_all(whole);
  RequestReader pieces({});
  pieces.append(bytes.substr(0, size / 2));
  read_all(pieces);
  pieces.append(bytes.substr(size / 2));
  read_all(pieces);
  return 0;
}
