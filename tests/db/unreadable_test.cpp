// Files that cannot be read, or not in the usual way: what is said of them, and a folder in which
// nothing can be written.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

std::string reason_of(const std::filesystem::path& file, StoreOptions options = {}) {
  try {
    const Store store(file, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a reader of an empty file is told that it is empty") {
  const TemporaryDirectory directory;
  std::ofstream(directory.file()).close();
  CHECK(reason_of(directory.file(), {.access = Access::read}) ==
        directory.file().string() + " is empty: no database of macrostep");
  CHECK(kind_thrown_by([&] { const Store store(directory.file(), {.access = Access::read}); }) ==
        ErrorKind::foreign_file);
}

TEST_CASE("a damaged file is said to be damaged, and how to find out where") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  {
    Store store(file);
    fill(store, "a");
  }
  std::string expected;
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  SUBCASE("its tables") {
    constexpr std::size_t header = 4096;
    bytes.seekp(header);
    bytes << std::string(std::filesystem::file_size(file) - header, '\x5a');
    expected = "database " + file.string() +
               " is damaged (database disk image is malformed, SQLite code 11); macrostep "
               "db check tells where";
  }
  SUBCASE("its header") {
    bytes << "no header";
    expected = file.string() + " is not a database; it was left as it is";
  }
  bytes.close();
  try {
    Store(file, {.access = Access::read}).get_search("a");
    FAIL("the damage was not noticed");
  } catch (const Error& error) {
    CHECK(error.what() == expected);
  }
}

/// A folder or a file that nobody may write, and this process as somebody whom that stops, as root
/// it does not.
class Fixed {
 public:
  explicit Fixed(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::permissions(path_, static_cast<std::filesystem::perms>(0555));
    REQUIRE((!is_root_ || setresuid(nobody, nobody, 0) == 0));
  }
  ~Fixed() {
    const bool back = !is_root_ || setresuid(0, 0, 0) == 0;
    std::error_code ignored;
    std::filesystem::permissions(path_, static_cast<std::filesystem::perms>(0755), ignored);
    CHECK(back);
  }
  Fixed(const Fixed&) = delete;
  Fixed& operator=(const Fixed&) = delete;

 private:
  static constexpr uid_t nobody = 65534;
  const std::filesystem::path path_;
  const bool is_root_ = geteuid() == 0;
};

TEST_CASE("a closed file in a folder that cannot be written is read, checked and copied") {
  const TemporaryDirectory directory;
  const TemporaryDirectory elsewhere;
  const auto file = directory.file("100%#a?b=c.db");
  {
    Store store(file);
    fill(store, "a");
  }
  std::filesystem::permissions(elsewhere.file().parent_path(),
                               static_cast<std::filesystem::perms>(0777));
  const Fixed fixed(file.parent_path());
  CHECK(Store(file, {.access = Access::read}).trials_of_search("a").size() == 40);
  CHECK(check_database(file).empty());
  snapshot_database(file, elsewhere.file());
  CHECK(check_database(elsewhere.file()).empty());
  CHECK(kind_thrown_by([&] { const Store store(file); }) == ErrorKind::system);
  CHECK(reason_of(file).find("needs a folder that can be: copy it") != std::string::npos);
}

TEST_CASE("a closed file that cannot be written, in a folder that can, is read and copied") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  {
    Store store(file);
    fill(store, "a");
  }
  std::filesystem::permissions(file.parent_path(), static_cast<std::filesystem::perms>(0777));
  const Fixed fixed(file);
  CHECK(Store(file, {.access = Access::read}).trials_of_search("a").size() == 40);
  CHECK(check_database(file).empty());
  const auto copy = file.string() + ".copy";
  snapshot_database(file, copy);
  CHECK(check_database(copy).empty());
}

TEST_CASE("a file with a log that cannot be written is refused with what helps") {
  const TemporaryDirectory directory;
  const TemporaryDirectory elsewhere;
  const auto file = directory.file();
  {
    Store store(elsewhere.file());
    fill(store, "a");
    for (const char* part : {"", "-wal"}) {
      std::filesystem::copy_file(elsewhere.file().string() + part, file.string() + part);
    }
  }
  std::filesystem::permissions(file.parent_path(), static_cast<std::filesystem::perms>(0777));
  const Fixed fixed(file);
  std::string message;
  try {
    check_database(file);
  } catch (const Error& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.find("copy the file, and " + file.string() +
                     "-wal, to a folder that can, and make them writable") != std::string::npos);
}

TEST_CASE("a file with a log in a folder that cannot be written is refused with what helps") {
  const TemporaryDirectory directory;
  const TemporaryDirectory elsewhere;
  const auto file = directory.file();
  {
    Store store(elsewhere.file());
    fill(store, "a");
    for (const char* part : {"", "-wal"}) {
      std::filesystem::copy_file(elsewhere.file().string() + part, file.string() + part);
    }
  }
  const Fixed fixed(file.parent_path());
  const auto message = reason_of(file, {.access = Access::read});
  CAPTURE(message);
  CHECK(message.find(file.parent_path().string() + " cannot be written; copy the file, and " +
                     file.string() + "-wal") != std::string::npos);
}

}  // namespace
}  // namespace macrostep::db
