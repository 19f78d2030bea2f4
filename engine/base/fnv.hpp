// FNV-1a, 64 bits: a short name for bytes. Whoever wants to can find other bytes of the same name.
//
//   h := (h xor byte) * prime, from a fixed h
//
// Source: G. Fowler, L. C. Noll, K.-P. Vo, The FNV Non-Cryptographic Hash Algorithm
#pragma once

#include <cstdint>
#include <string_view>

namespace macrostep::engine {

inline constexpr std::uint64_t fnv_start = 0xcbf29ce484222325;
inline constexpr std::uint64_t fnv_prime = 0x100000001b3;

constexpr std::uint64_t fnv_step(std::uint64_t hash, unsigned char byte) {
  return (hash ^ byte) * fnv_prime;
}

constexpr std::uint64_t fnv_of(std::string_view bytes) {
  std::uint64_t hash = fnv_start;
  for (const char byte : bytes) {
    hash = fnv_step(hash, static_cast<unsigned char>(byte));
  }
  return hash;
}

}  // namespace macrostep::engine
