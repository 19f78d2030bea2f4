// What the executable of the workers loads and exports: an FMU finds the symbols of the executable
// and of its libraries before its own.
#include <doctest/doctest.h>
#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/executors/pool_fixture.hpp"
#include "tests/scratch.hpp"

using namespace macrostep::tests;

namespace {

/// A file in the format ELF, of this machine's kind.
class ElfFile {
 public:
  explicit ElfFile(std::string bytes) : bytes_(std::move(bytes)) {
    REQUIRE(bytes_.starts_with(ELFMAG));
    const auto head = at<ElfW(Ehdr)>(0);
    for (std::size_t i = 0; i < head.e_shnum; ++i) {
      sections_.push_back(at<ElfW(Shdr)>(head.e_shoff + i * head.e_shentsize));
    }
  }

  /// Libraries that the loader must find.
  std::set<std::string> needed() const {
    std::set<std::string> names;
    for_each<ElfW(Dyn)>(SHT_DYNAMIC, [&](const ElfW(Dyn) & entry, const ElfW(Shdr) & section) {
      if (entry.d_tag == DT_NEEDED) {
        names.insert(text(section, entry.d_un.d_val));
      }
    });
    return names;
  }

  /// Dynamic symbols that it defines.
  std::set<std::string> defined() const {
    std::set<std::string> names;
    for_each<ElfW(Sym)>(SHT_DYNSYM, [&](const ElfW(Sym) & symbol, const ElfW(Shdr) & section) {
      if (symbol.st_shndx != SHN_UNDEF) {
        names.insert(text(section, symbol.st_name));
      }
    });
    return names;
  }

 private:
  template <class Value>
  Value at(std::size_t offset) const {
    REQUIRE(offset + sizeof(Value) <= bytes_.size());
    Value value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  template <class Entry, class Act>
  void for_each(std::uint32_t type, const Act& act) const {
    for (const auto& section : sections_) {
      if (section.sh_type == type) {
        for (std::size_t offset = 0; offset < section.sh_size; offset += sizeof(Entry)) {
          act(at<Entry>(section.sh_offset + offset), section);
        }
      }
    }
  }
  /// From the table of texts that belongs to the section.
  std::string text(const ElfW(Shdr) & section, std::size_t offset) const {
    return bytes_.c_str() + sections_.at(section.sh_link).sh_offset + offset;
  }

  std::string bytes_;
  std::vector<ElfW(Shdr)> sections_;
};

ElfFile elf_file(const char* path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return ElfFile(bytes.str());
}

}  // namespace

TEST_CASE("the worker's executable loads the C library alone, and exports nothing") {
  if (sanitized) {
    return;  // the sanitizers' libraries are loaded, too
  }
  const auto worker = elf_file(MACROSTEP_WORKER);
  for (const auto& library : worker.needed()) {
    CAPTURE(library);
    const bool of_c = library.starts_with("libc.so") || library.starts_with("libm.so") ||
                      library.starts_with("ld-linux") || library.starts_with("libdl.so") ||
                      library.starts_with("libpthread.so");
    CHECK(of_c);
  }
  CHECK(worker.needed().size() >= 2);
  for (const auto& symbol : worker.defined()) {
    CAPTURE(symbol);
    // Variables of the C library that an executable copies.
    const bool of_c = std::set<std::string>{"stdin",     "stdout",         "stderr",  "environ",
                                            "__environ", "_IO_stdin_used", "_environ"}
                          .contains(symbol);
    CHECK(of_c);
  }
  // Whether this would notice: the program loads much, and defines symbols.
  CHECK(elf_file(MACROSTEP_BINARY).needed().size() > 5);
}
