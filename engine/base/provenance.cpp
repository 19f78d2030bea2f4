#include "engine/base/provenance.hpp"

#include <elf.h>
#include <link.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "engine/base/fnv.hpp"
#include "models/integrators/cvode_solver.hpp"

namespace macrostep::engine {

namespace {

constexpr int libm_samples = 1000;

/// FNV-1a over the bits of what libm says for a spread of arguments, and the version of SUNDIALS.
std::string arithmetic_hash() {
  std::uint64_t hash = fnv_start;
  const auto take = [&](double value) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) {
      hash = fnv_step(hash, static_cast<unsigned char>(bits & 0xff));
    }
  };
  for (int i = 0; i < libm_samples / 5; ++i) {
    const double x = 0.01 + 0.0731 * i;
    take(std::sin(x));
    take(std::cos(x));
    take(std::exp(x));
    take(std::log(x));
    take(std::pow(x, 1.3));
  }
  for (const char character : models::cvode_version()) {
    hash = fnv_step(hash, static_cast<unsigned char>(character));
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
  std::string text;
  for (const auto byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

/// The GNU build id of the main program: the first object that dl_iterate_phdr visits.
int read_build_id(dl_phdr_info* info, std::size_t, void* out) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) {
      continue;
    }
    const auto* at = reinterpret_cast<const unsigned char*>(info->dlpi_addr + header.p_vaddr);
    const auto* const end = at + header.p_memsz;
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const auto* name = at + sizeof note;
      const auto* description = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          std::memcmp(name, "GNU", 4) == 0) {
        *static_cast<std::string*>(out) = hexadecimal({description, note.n_descsz});
        return 1;
      }
      at = description + padded(note.n_descsz);
    }
  }
  return 1;
}

}  // namespace

Provenance provenance() {
  Provenance result{
      .version = MACROSTEP_VERSION, .build_id = "unknown", .math_class = arithmetic_hash()};
  dl_iterate_phdr(read_build_id, &result.build_id);
  return result;
}

}  // namespace macrostep::engine
