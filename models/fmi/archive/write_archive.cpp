#include "models/fmi/archive/write_archive.hpp"

#include <zip.h>

#include <memory>
#include <stdexcept>
#include <system_error>

namespace macrostep::models::fmi {

namespace {

/// 1 January 1980, the first day that zip knows.
constexpr zip_uint16_t first_date = 0x0021;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

struct Free {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, Free>;

[[noreturn]] void fail(const std::string& why) {
  throw std::system_error(std::make_error_code(std::errc::io_error),
                          "the archive cannot be made: " + why);
}

void add(zip_t* archive, const ArchiveEntry& entry) {
  Source source(zip_source_buffer(archive, entry.content.data(), entry.content.size(), 0));
  const auto index =
      source ? zip_file_add(archive, entry.name.c_str(), source.get(), ZIP_FL_ENC_UTF_8) : -1;
  if (index < 0) {
    fail(zip_strerror(archive));
  }
  static_cast<void>(source.release());  // the archive has it
  zip_file_set_dostime(archive, static_cast<zip_uint64_t>(index), 0, first_date, 0);
}

std::string content_of(zip_source_t* source) {
  if (zip_source_open(source) != 0 || zip_source_seek(source, 0, SEEK_END) != 0) {
    fail(zip_error_strerror(zip_source_error(source)));
  }
  std::string bytes(static_cast<std::size_t>(zip_source_tell(source)), '\0');
  zip_source_seek(source, 0, SEEK_SET);
  const auto read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read != static_cast<zip_int64_t>(bytes.size())) {
    fail("its bytes cannot be read");
  }
  return bytes;
}

}  // namespace

std::string archive_of(std::span<const ArchiveEntry> entries) {
  zip_error_t error;
  zip_error_init(&error);
  const Source memory(zip_source_buffer_create(nullptr, 0, 0, &error));
  Archive archive(memory ? zip_open_from_source(memory.get(), ZIP_TRUNCATE, &error) : nullptr);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (!archive) {
    fail(why);
  }
  zip_source_keep(memory.get());  // one reference is the archive's
  for (const auto& entry : entries) {
    add(archive.get(), entry);
  }
  if (zip_close(archive.get()) != 0) {
    fail(zip_strerror(archive.get()));
  }
  static_cast<void>(archive.release());  // closing has freed it
  return content_of(memory.get());
}

}  // namespace macrostep::models::fmi
