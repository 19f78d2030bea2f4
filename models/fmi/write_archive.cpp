#include "models/fmi/write_archive.hpp"

#include <zip.h>

#include <memory>
#include <stdexcept>

namespace macrostep::models::fmi {

namespace {

/// 1 January 1980, the first day that zip knows.
constexpr zip_uint16_t first_date = 0x0021;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw std::runtime_error("cannot write " + file.string() + ": " + why);
}

Archive create(const std::filesystem::path& file) {
  int code = 0;
  Archive archive(zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail(file, why);
  }
  return archive;
}

}  // namespace

void write_archive(const std::filesystem::path& file, std::span<const ArchiveEntry> entries) {
  auto archive = create(file);
  for (const auto& [name, content] : entries) {
    zip_source_t* source = zip_source_buffer(archive.get(), content.data(), content.size(), 0);
    const auto index =
        source ? zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      zip_source_free(source);
      fail(file, zip_strerror(archive.get()));
    }
    zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, first_date, 0);
  }
  if (zip_close(archive.get()) != 0) {
    fail(file, zip_strerror(archive.get()));
  }
  static_cast<void>(archive.release());  // closing has freed it
}

}  // namespace macrostep::models::fmi
