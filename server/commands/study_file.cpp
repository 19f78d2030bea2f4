#include "server/commands/study_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/provenance.hpp"
#include "server/commands/command.hpp"
#include "server/json/study_json.hpp"

namespace macrostep::server::commands {

namespace {


/// What rows may stand in one file: those of one program that were drawn by one seed.
std::string head_line(std::uint64_t seed) {
  std::string rules;
  for (const auto& rule : engine::study_rules()) {
    rules += (rules.empty() ? "" : "; ") + rule.name;
  }
  const auto provenance = engine::provenance();
  return nlohmann::ordered_json{{"study", "macrostep"},
                                {"seed", seed},
                                {"build_id", provenance.build_id},
                                {"math_class", provenance.math_class},
                                {"rules", rules}}
      .dump();
}

[[noreturn]] void fail(const std::string& path) {
  throw CommandError(Failure::failed, "cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace

StudyFile::StudyFile(std::string path, std::uint64_t seed) : path_(std::move(path)) {
  read(seed);
}

void StudyFile::read(std::uint64_t seed) {
  const std::string head = head_line(seed);
  std::uintmax_t whole = 0;  // bytes of whole lines
  if (std::ifstream in(path_, std::ios::binary); in) {
    std::string line;
    bool first = true;
    while (std::getline(in, line) && !in.eof()) {  // a line that ends
      if (first && line != head) {
        throw CommandError(Failure::failed,
                           path_ + " is no study of this program, or one with another seed");
      }
      if (!first) {
        auto row = json::study_row_from(nlohmann::json::parse(line, nullptr, false));
        if (!row) {
          throw CommandError(Failure::failed, path_ + " holds a line that is no row of a study");
        }
        rows_.push_back(std::move(*row));
      }
      first = false;
      whole += line.size() + 1;
    }
  }
  std::error_code error;
  if (std::filesystem::exists(path_, error)) {
    std::filesystem::resize_file(path_, whole, error);
  }
  file_.reset(std::fopen(path_.c_str(), "ab"));
  if (error || !file_) {
    fail(path_);
  }
  if (whole == 0) {
    write(head);
  }
}

void StudyFile::add(const engine::StudyRow& row) {
  write(json::study_row_json(row).dump());
}

void StudyFile::write(const std::string& line) {
  const std::string text = line + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      std::fflush(file_.get()) != 0) {
    fail(path_);
  }
}

}  // namespace macrostep::server::commands
