// The shared library of exported FMUs as other tools find it.
#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <set>
#include <string>

#include "engine/fmu_export/library/native_library.hpp"

using macrostep::engine::native_library;

namespace {

template <class Struct>
Struct at(std::size_t offset) {
  Struct value;
  REQUIRE(offset + sizeof value <= native_library().size());
  std::memcpy(&value, native_library().data() + offset, sizeof value);
  return value;
}

std::string text_at(std::size_t offset) {
  return reinterpret_cast<const char*>(native_library().data() + offset);
}

struct Dynamic {
  std::set<std::string> exported;  ///< symbols that others can call
  std::set<std::string> needed;    ///< libraries
};

/// From the sections of dynamic symbols and of what the loader needs.
Dynamic dynamic() {
  const auto header = at<Elf64_Ehdr>(0);
  const auto section = [&](std::size_t i) {
    return at<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize);
  };
  Dynamic found;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto part = section(i);
    if (part.sh_type != SHT_DYNSYM && part.sh_type != SHT_DYNAMIC) {
      continue;
    }
    const auto names = section(part.sh_link).sh_offset;
    for (std::size_t entry = 0; entry < part.sh_size; entry += part.sh_entsize) {
      if (part.sh_type == SHT_DYNSYM) {
        const auto symbol = at<Elf64_Sym>(part.sh_offset + entry);
        if (symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) {
          found.exported.insert(text_at(names + symbol.st_name));
        }
      } else if (const auto tag = at<Elf64_Dyn>(part.sh_offset + entry); tag.d_tag == DT_NEEDED) {
        found.needed.insert(text_at(names + tag.d_un.d_val));
      }
    }
  }
  return found;
}

}  // namespace

TEST_CASE("the library shows nothing but the functions of FMI") {
  const auto found = dynamic();
  for (const auto& symbol : found.exported) {
    CHECK_MESSAGE((symbol.starts_with("fmi2") || symbol.starts_with("fmi3")), symbol);
  }
  CHECK(found.exported.contains("fmi2DoStep"));
  CHECK(found.exported.contains("fmi3DoStep"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which it needs, too
TEST_CASE("the library needs nothing but the C library") {
  for (const auto& library : dynamic().needed) {
    CHECK_MESSAGE((library.starts_with("libc.so") || library.starts_with("libm.so") ||
                   library.starts_with("ld-linux")),
                  library);
  }
}
#endif
