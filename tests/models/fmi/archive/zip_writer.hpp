// Zip archives byte by byte, so that a test can write what no tool would.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::tests {

struct RawEntry {
  std::string name;
  std::string data;          ///< as it lies in the archive
  std::uint16_t method = 0;  // stored
  std::uint16_t flags = 0;
  std::uint32_t mode = 0100644;  // a regular file
  std::optional<std::uint32_t> crc;
  std::optional<std::uint32_t> inflated_size;
  std::optional<std::uint32_t> offset;  ///< of another entry's local header
};

inline std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0xedb88320 : 0);
  }
  return ~crc;
}

// Little-endian numbers one after another.
class RawBytes {
 public:
  RawBytes& two(std::uint32_t value) { return put(value, 2); }
  RawBytes& four(std::uint32_t value) { return put(value, 4); }
  RawBytes& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  RawBytes& put(std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xff);
    return *this;
  }
  std::string bytes_;
};

inline std::string shared_header_fields(const RawEntry& entry) {
  const auto size = static_cast<std::uint32_t>(entry.data.size());
  return RawBytes()
      .two(20)
      .two(entry.flags)
      .two(entry.method)
      .two(0)   // time
      .two(33)  // date: 1 January 1980
      .four(entry.crc.value_or(crc32_of(entry.data)))
      .four(size)
      .four(entry.inflated_size.value_or(size))
      .two(static_cast<std::uint32_t>(entry.name.size()))
      .two(0)  // extra field
      .take();
}

inline std::string raw_zip(const std::vector<RawEntry>& entries) {
  std::string out;
  std::string directory;
  for (const RawEntry& entry : entries) {
    const auto offset = static_cast<std::uint32_t>(out.size());
    const std::string shared = shared_header_fields(entry);
    if (!entry.offset)
      out += RawBytes().four(0x04034b50).text(shared).text(entry.name).text(entry.data).take();
    directory += RawBytes()
                     .four(0x02014b50)
                     .two(0x0314)  // made on Unix
                     .text(shared)
                     .two(0)  // comment
                     .two(0)  // disk
                     .two(0)  // internal attributes
                     .four(entry.mode << 16)
                     .four(entry.offset.value_or(offset))
                     .text(entry.name)
                     .take();
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  const auto count = static_cast<std::uint32_t>(entries.size());
  return out + directory +
         RawBytes()
             .four(0x06054b50)
             .two(0)
             .two(0)
             .two(count)
             .two(count)
             .four(static_cast<std::uint32_t>(directory.size()))
             .four(start)
             .two(0)
             .take();
}

}  // namespace macrostep::tests
