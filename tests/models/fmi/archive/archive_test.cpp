// Archives as they should be, and hostile ones: each refused with its reason, nothing written.
#include "models/fmi/archive/archive.hpp"

#include <doctest/doctest.h>
#include <elf.h>
#include <stdlib.h>
#include <unistd.h>
#include <zip.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/archive/platform_library.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "models/fmi/description/read_description.hpp"
#include "models/fmi/rules/check_description.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "tests/models/fmi/archive/zip_writer.hpp"

using namespace macrostep::models::fmi;
using macrostep::tests::raw_zip;
using macrostep::tests::RawEntry;
namespace fs = std::filesystem;

namespace {

// A directory of its own with the archive in it, and nothing else.
class Place {
 public:
  Place() {
    std::string pattern = (fs::temp_directory_path() / "macrostep-archive-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    fs::create_directory(directory_ / "in");
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  fs::path archive() const { return directory_ / "in" / "a.fmu"; }
  fs::path target() const { return directory_ / "in" / "out"; }

  void write(const std::string& bytes) const {
    std::ofstream(archive(), std::ios::binary) << bytes;
  }

  // Everything below, the archive aside.
  std::vector<std::string> written() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
      const std::string path = fs::relative(entry.path(), directory_).string();
      if (path != "in" && path != "in/a.fmu") found.push_back(path);
    }
    return found;
  }

 private:
  fs::path directory_;
};

std::string description_of(const std::string& version = "2.0",
                           const std::string& identifier = "mass") {
  const std::string token = version == "2.0" ? "guid" : "instantiationToken";
  return "<fmiModelDescription fmiVersion=\"" + version + "\" modelName=\"Mass\" " + token +
         "=\"1\"><CoSimulation modelIdentifier=\"" + identifier +
         "\"/><ModelVariables/><ModelStructure/></fmiModelDescription>";
}

std::string library(std::uint16_t type = ET_DYN, std::uint16_t machine = EM_X86_64,
                    unsigned char bits = ELFCLASS64) {
  Elf64_Ehdr elf{};
  std::memcpy(elf.e_ident, ELFMAG, SELFMAG);
  elf.e_ident[EI_CLASS] = bits;
  elf.e_ident[EI_DATA] = ELFDATA2LSB;
  elf.e_type = type;
  elf.e_machine = machine;
  std::string bytes(sizeof elf, '\0');
  std::memcpy(bytes.data(), &elf, sizeof elf);
  return bytes;
}

RawEntry file(std::string name, std::string data = "x") {
  return {.name = std::move(name), .data = std::move(data)};
}

const RawEntry description = file("modelDescription.xml", description_of());
const RawEntry binary = file("binaries/linux64/mass.so", library());

// What an honest FMU of FMI 2 has, and more.
std::vector<RawEntry> with(std::vector<RawEntry> more) {
  more.insert(more.begin(), {description, binary});
  return more;
}

RawEntry of_mode(RawEntry entry, std::uint32_t mode) {
  entry.mode = mode;
  return entry;
}

std::string refusal(const Place& place, const ArchiveLimits& limits) {
  try {
    unpack_archive(place.archive(), place.target(), limits);
    return "";
  } catch (const FmuRefused& refused) {
    return refused.what();
  }
}

// Refused for this reason by both functions, with nothing written.
void check_refused(const std::string& bytes, const std::string& reason,
                   const ArchiveLimits& limits = {}) {
  CAPTURE(reason);
  const Place place;
  place.write(bytes);
  const std::string why = refusal(place, limits);
  CAPTURE(why);
  CHECK(why.find(reason) != std::string::npos);
  CHECK_THROWS_AS(check_archive(place.archive(), limits), FmuRefused);
  CHECK(place.written().empty());
}

// An archive by libzip, deflated.
std::string deflated_zip(const std::vector<std::pair<std::string, std::string>>& files) {
  const Place place;
  int code = 0;
  zip_t* archive = zip_open(place.archive().c_str(), ZIP_CREATE, &code);
  REQUIRE(archive != nullptr);
  for (const auto& [name, data] : files)
    REQUIRE(zip_file_add(archive, name.c_str(),
                         zip_source_buffer(archive, data.data(), data.size(), 0), 0) >= 0);
  REQUIRE(zip_close(archive) == 0);
  std::ifstream stream(place.archive(), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// `bytes` with one little-endian number of four bytes replaced wherever it stands.
std::string with_number(std::string bytes, std::uint32_t from, std::uint32_t to) {
  std::string old_bytes(4, '\0');
  std::string new_bytes(4, '\0');
  std::memcpy(old_bytes.data(), &from, 4);
  std::memcpy(new_bytes.data(), &to, 4);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = bytes.find(old_bytes, at)) != std::string::npos; at += 4, ++count)
    bytes.replace(at, 4, new_bytes);
  CHECK(count > 0);
  return bytes;
}

}  // namespace

TEST_CASE("SHA-256 of the standard's examples") {
  // FIPS 180-2, appendix B; the empty text and the lengths around a block.
  CHECK(sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  for (int i = 0; i < 1000; ++i) million.add(std::string(1000, 'a'));
  CHECK(million.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("an archive is checked without writing and unpacked with all its files") {
  const Place place;
  place.write(raw_zip(with({file("resources/"), file("resources/a/b.txt", "hello"),
                            file("documentation/\xc3\xa4.html", "")})));
  // raw_zip gives a directory content "x", which its entry may not have
  CHECK_THROWS_AS(check_archive(place.archive()), FmuRefused);
  place.write(
      raw_zip(with({of_mode(file("resources/", ""), 040755), file("resources/a/b.txt", "hello"),
                    file("documentation/\xc3\xa4.html", "")})));
  const CheckedArchive checked = check_archive(place.archive());
  CHECK(checked.description.model_name == "Mass");
  CHECK(checked.files == 4);
  CHECK(checked.inflated_bytes == description.data.size() + 64 + 5);
  CHECK(place.written().empty());
  const Fmu fmu = unpack_archive(place.archive(), place.target());
  CHECK(fmu.sha256 == checked.sha256);
  CHECK(fmu.directory == place.target());
  REQUIRE(fmu.co_simulation_library);
  CHECK(*fmu.co_simulation_library == place.target() / "binaries/linux64/mass.so");
  CHECK_FALSE(fmu.model_exchange_library);
  CHECK(fs::file_size(place.target() / "resources/a/b.txt") == 5);
  CHECK(place.written().size() == 10);  // four files and six directories, the target with them
  CHECK(fmu.description.notes.empty());
}

TEST_CASE("deflated entries are unpacked as they were") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919);
  const Place place;
  place.write(deflated_zip({{"modelDescription.xml", description_of("3.0")},
                            {"binaries/x86_64-linux/mass.so", library()},
                            {"resources/table.txt", text}}));
  const Fmu fmu = unpack_archive(place.archive(), place.target());
  CHECK(fmu.description.version == Version::fmi3);
  std::ifstream stream(place.target() / "resources/table.txt", std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == text);
}

TEST_CASE("a single library that is not named after the modelIdentifier is taken with a note") {
  const Place place;
  place.write(raw_zip({description, file("binaries/linux64/other.so", library()),
                       file("binaries/linux64/deep/mass.so", "no library")}));
  const Fmu fmu = unpack_archive(place.archive(), place.target());
  CHECK(*fmu.co_simulation_library == place.target() / "binaries/linux64/other.so");
  REQUIRE(fmu.description.notes.size() == 1);
  CHECK(fmu.description.notes[0] ==
        "the library is binaries/linux64/other.so, not binaries/linux64/mass.so as its "
        "modelIdentifier says");
}

TEST_CASE("an interface without a library is left out where the other one has one") {
  const std::string both =
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"M\" guid=\"1\"><ModelExchange "
      "modelIdentifier=\"me\"/><CoSimulation modelIdentifier=\"cs\"/><ModelVariables/>"
      "<ModelStructure/></fmiModelDescription>";
  const ModelDescription model = read_model_description(both);
  const PlatformLibraries found = find_libraries(model, {"binaries/linux64/cs.so"});
  CHECK(found.co_simulation == "binaries/linux64/cs.so");
  CHECK_FALSE(found.model_exchange);  // what is the other one's by its name is not taken
  CHECK(find_libraries(model, {"binaries/linux64/x.so"}).notes.size() == 2);
}

TEST_CASE("names that differ in case are different files") {
  const Place place;
  place.write(
      raw_zip(with({file("modeldescription.xml", "x"), file("resources/A"), file("resources/a")})));
  CHECK(unpack_archive(place.archive(), place.target()).description.model_name == "Mass");
}

TEST_CASE("an existing directory is never unpacked into") {
  const Place place;
  place.write(raw_zip(with({})));
  fs::create_directory(place.target());
  CHECK_THROWS_AS(unpack_archive(place.archive(), place.target()), std::system_error);
  CHECK(fs::is_empty(place.target()));
}

TEST_CASE("what is no whole zip archive is refused") {
  const std::string good = raw_zip(with({}));
  check_refused("", "is not a zip archive");
  check_refused("<html>404</html>", "is not a zip archive");
  check_refused(std::string(100'000, '\0'), "is not a zip archive");
  check_refused(good.substr(0, good.size() / 2), "is cut off or damaged");
  check_refused(good.substr(0, good.size() - 4), "is cut off or damaged");
  check_refused(raw_zip({}), "has no modelDescription.xml");
  const Place place;
  fs::create_directory(place.archive());
  CHECK_THROWS_WITH_AS(check_archive(place.archive()), "the archive is no file", FmuRefused);
  fs::remove(place.archive());
  CHECK_THROWS_AS(check_archive(place.archive()), std::system_error);
}

TEST_CASE("names that lead elsewhere are refused") {
  const auto refused = [](const std::string& name, const std::string& reason) {
    check_refused(raw_zip(with({file(name)})), reason);
  };
  refused("../evil", "\"../evil\" leads out of its directory");
  refused("resources/../../evil", "leads out of its directory");
  refused("resources/..", "leads out of its directory");
  refused("./evil", "leads out of its directory");
  refused("/evil", "\"/evil\" is absolute");
  refused("C:/evil", "is absolute");
  refused("..\\evil", "has a backslash");
  refused("a//b", "has an empty part");
  refused(std::string("resources/a\0/../../b", 21), "leads out of its directory");
  refused("a\nb", "is not plain text");
  refused(std::string(300, 'a'), "has a part longer than 255 bytes");
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += "a/";
  refused(deep + "b", "has more than 32 parts");
  refused(deep + std::string(2000, 'a'), "is longer than 1000 bytes");
}

TEST_CASE("names that are given twice are refused") {
  check_refused(raw_zip(with({file("a"), file("a", "y")})), "\"a\" is there twice");
  check_refused(raw_zip(with({description})), "is there twice: unpack the archive and zip it");
  check_refused(raw_zip(with({file("a"), file("a/b")})), "\"a/b\" lies below a file");
  check_refused(raw_zip(with({file("a/b"), file("a")})), "is a file and a directory at once");
  check_refused(raw_zip(with({file("a/", "")})), "is a file and a directory at once");
  check_refused(raw_zip(with({of_mode(file("a/"), 040755)})), "is a directory with content");
}

TEST_CASE("links, devices and pipes are refused") {
  check_refused(raw_zip(with({of_mode(file("a", "/etc/passwd"), 0120777)})), "is a symbolic link");
  check_refused(raw_zip(with({of_mode(file("a"), 0020666)})), "is a device, pipe or socket");
  check_refused(raw_zip(with({of_mode(file("a"), 0010666)})), "is a device, pipe or socket");
  check_refused(raw_zip({description, of_mode(binary, 0120777)}), "is a symbolic link");
}

TEST_CASE("encrypted entries and foreign compression are refused") {
  RawEntry locked = file("a", std::string(40, 'x'));
  locked.flags = 1;
  check_refused(raw_zip(with({locked})), "\"a\" is encrypted");
  RawEntry bzip2 = file("a");
  bzip2.method = 12;
  check_refused(raw_zip(with({bzip2})), "by another method than deflation (method 12)");
}

TEST_CASE("damaged entries are refused") {
  RawEntry wrong_sum = file("a", "hello");
  wrong_sum.crc = 1;
  check_refused(raw_zip(with({wrong_sum})), "\"a\" is damaged: CRC error");
  RawEntry longer = file("a", "hello");
  longer.inflated_size = 1000;
  check_refused(raw_zip(with({longer})), "\"a\" is");
  RawEntry noise = file("a", "this is no deflated text at all");
  noise.method = 8;
  check_refused(raw_zip(with({noise})), "\"a\" is damaged");
}

TEST_CASE("bombs are refused by the bytes that come out") {
  const std::string zeros(std::size_t{32} << 20, '\0');
  const std::string bomb = deflated_zip({{"modelDescription.xml", description_of()},
                                         {"binaries/linux64/mass.so", library()},
                                         {"resources/zeros", zeros}});
  REQUIRE(bomb.size() < 100'000);
  check_refused(bomb, "\"resources/zeros\" inflates to more than 400 times its size");
  const ArchiveLimits small{.inflated_bytes = 8 << 20};
  check_refused(bomb, "the archive inflates to more than 8 MB", small);
  // One that says it is small is caught while it inflates.
  const std::string lying =
      with_number(bomb, static_cast<std::uint32_t>(zeros.size()), std::uint32_t{1000});
  check_refused(lying, "inflates to more than 400 times its size");
  check_refused(lying, "the archive inflates to more than 8 MB", small);
  const std::string little = with_number(
      deflated_zip({{"modelDescription.xml", description_of()}, {"a", std::string(70'007, 'a')}}),
      70'007, 69'000);
  check_refused(little, "\"a\" is");
}

TEST_CASE("entries that share their bytes are refused") {
  std::vector<RawEntry> entries = with({file("a", std::string(10'000, 'a'))});
  RawEntry again = entries.back();
  again.offset = static_cast<std::uint32_t>(description.name.size() + description.data.size() +
                                            binary.name.size() + binary.data.size() + 60);
  for (int i = 0; i < 50; ++i) {
    again.name = "a" + std::to_string(i);
    entries.push_back(again);
  }
  check_refused(raw_zip(entries), "entries overlap");
}

TEST_CASE("too many entries and too large archives are refused") {
  std::vector<RawEntry> many;
  for (int i = 0; i < 50; ++i) many.push_back(file("a" + std::to_string(i)));
  check_refused(raw_zip(with(many)), "has more than 20 entries", {.entries = 20});
  check_refused(raw_zip(with({file("a", std::string(std::size_t{2} << 20, 'a'))})),
                "the archive has more than 1 MB", {.bytes = 1 << 20});
}

TEST_CASE("an FMU without a description or a library for this platform is refused") {
  check_refused(raw_zip({binary}), "has no modelDescription.xml");
  check_refused(raw_zip({file("mass/modelDescription.xml", description_of()), binary}),
                "no modelDescription.xml at its top: it is in mass/; zip what is in that folder");
  check_refused(raw_zip({description}), "and none for another");
  check_refused(raw_zip({description, file("binaries/win64/mass.dll", "MZ"),
                         file("binaries/darwin64/mass.dylib")}),
                "has no library for this platform (binaries/linux64), only for darwin64, win64");
  check_refused(raw_zip({description, file("binaries/x86_64-linux/mass.so", library())}),
                "only for x86_64-linux");  // where FMI 3 has it
  check_refused(raw_zip({description, file("binaries/linux64/a.so", library()),
                         file("binaries/linux64/b.so", library())}),
                "no library named after its modelIdentifier, and several");
}

TEST_CASE("what is no library of this platform is refused") {
  const auto refused = [](const std::string& bytes, const std::string& reason) {
    check_refused(raw_zip({description, file("binaries/linux64/mass.so", bytes)}), reason);
  };
  refused("", "is no shared library of Linux");
  refused("MZ" + std::string(100, '\0'), "is no shared library of Linux");
  refused(library(ET_DYN, EM_AARCH64), "for another processor than x86-64");
  refused(library(ET_DYN, EM_386, ELFCLASS32), "for another processor than x86-64");
  refused(library(ET_EXEC), "\"binaries/linux64/mass.so\" is no shared library");
}

TEST_CASE("a hostile description is refused with the archive") {
  const auto refused = [](const std::string& xml, const std::string& reason) {
    check_refused(raw_zip({file("modelDescription.xml", xml), binary}), reason);
  };
  refused("", "is not XML");
  refused("<!DOCTYPE a SYSTEM 'file:///etc/passwd'>" + description_of(), "a document type");
  refused(description_of("1.0"), "FMI 1.0 is unknown");
  refused(description_of("2.0", "../mass"), "no name of a library");
  const std::string huge(std::size_t{65} << 20, ' ');
  check_refused(raw_zip({file("modelDescription.xml", huge), binary}), "more than 64 MB");
}

TEST_CASE("an unpacked FMU is opened by its directory, links in it are not followed") {
  const Place place;
  place.write(raw_zip(with({})));
  unpack_archive(place.archive(), place.target());
  CHECK(open_unpacked(place.target(), "0").description.model_name == "Mass");
  const fs::path library_path = place.target() / "binaries/linux64/mass.so";
  fs::rename(library_path, place.target() / "mass.so");
  fs::create_symlink(place.target() / "mass.so", library_path);
  CHECK_THROWS_AS(open_unpacked(place.target(), "0"), FmuRefused);
  fs::remove(place.target() / "modelDescription.xml");
  CHECK_THROWS_AS(open_unpacked(place.target(), "0"), FmuRefused);
}

TEST_CASE("a check of an archive tells why it is refused, and what its description breaks") {
  const Place place;
  const auto check = [&](const std::vector<RawEntry>& entries) {
    place.write(raw_zip(entries));
    return check_fmu_archive(place.archive());
  };
  CHECK(check({description, binary}).findings.empty());
  // A single library of another name is taken, and breaks the rule.
  auto found = check({description, file("binaries/linux64/other.so", library())});
  CHECK_FALSE(found.refused);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front().part == "archive");
  CHECK(found.findings.front().where == "binaries/linux64/mass.so");
  // Both what is refused and what is wrong besides.
  std::string text = description_of();
  text.replace(text.find(" modelName=\"Mass\""), 17, "");
  found = check({file("modelDescription.xml", text), file("binaries/win64/mass.dll")});
  CHECK(found.refused.has_value());
  CHECK(found.version == "2.0");
  CHECK(found.findings.size() == 2);
  // For another platform, or beyond a limit of macrostep's own: no error.
  for (const auto& one : {check({description, file("binaries/win64/mass.dll")}),
                          check_fmu_archive(place.archive(), {.entries = 1})}) {
    REQUIRE((one.refused && !one.findings.empty()));
    CHECK((one.findings.front().severity == Severity::warning));
  }
  // Nothing to be looked at: the reason is the finding.
  for (const auto& entries : {std::vector<RawEntry>{binary},
                              {file("modelDescription.xml", "<!DOCTYPE a><a/>"), binary},
                              {description, binary, file("../out")}}) {
    found = check(entries);
    REQUIRE(found.refused.has_value());
    REQUIRE(found.findings.size() == 1);
    CHECK(found.findings.front().message == *found.refused);
  }
  place.write("no archive");
  CHECK(check_fmu_archive(place.archive()).findings.size() == 1);
  CHECK(place.written().empty());
}
