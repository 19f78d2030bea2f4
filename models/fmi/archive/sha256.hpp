// SHA-256 (FIPS 180-4): the name of an archive by its content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace macrostep::models::fmi {

class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 lower-case hexadecimal digits. Ends it: nothing may be added afterwards.
  std::string finish();

 private:
  static constexpr std::size_t block_size = 64;
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_size> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
};

/// The hash of a whole text.
std::string sha256_of(std::string_view bytes);

/// Whether a text looks like one: 64 lower-case hexadecimal digits.
bool is_sha256(std::string_view text);

}  // namespace macrostep::models::fmi
