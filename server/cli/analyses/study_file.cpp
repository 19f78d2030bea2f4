#include "server/cli/analyses/study_file.hpp"

#include <sys/file.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/provenance.hpp"
#include "server/cli/frame/command.hpp"
#include "server/results/study_json.hpp"

namespace macrostep::server {

namespace {

/// The rows of one file belong to one program, and to one seed or one file of problems.
std::string head_line(const StudySource& source) {
  std::string rules;
  for (const auto& rule : engine::study_rules(source.rules)) {
    rules += (rules.empty() ? "" : "; ") + rule.name;
  }
  const auto provenance = engine::provenance();
  nlohmann::ordered_json head{{"study", "macrostep"},
                              {"seed", source.seed},
                              {"build_id", provenance.build_id},
                              {"math_class", provenance.math_class},
                              {"rules", rules}};
  if (source.problems) {
    head["problems"] = *source.problems;
  }
  return head.dump();
}

[[noreturn]] void fail(const std::string& what) {
  throw CommandError(Failure::failed, what);
}

[[noreturn]] void fail_to_write(const std::string& path) {
  fail("cannot write " + path + ": " + std::strerror(errno));
}

std::string read_all(std::FILE* file, const std::string& path) {
  std::string text;
  std::array<char, 1U << 16U> block{};
  while (const auto size = std::fread(block.data(), 1, block.size(), file)) {
    text.append(block.data(), size);
  }
  if (std::ferror(file) != 0) {
    fail("cannot read " + path + ": " + std::strerror(errno));
  }
  return text;
}

}  // namespace

StudyFile::StudyFile(std::string path, const StudySource& source) : path_(std::move(path)) {
  open();
  read(source);
}

void StudyFile::open() {
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fail(path_ + " is no regular file");
  }
  file_.reset(std::fopen(path_.c_str(), "a+b"));
  if (!file_ && (errno == EACCES || errno == EROFS)) {
    not_writable_ = errno;  // but what is there can be shown
    file_.reset(std::fopen(path_.c_str(), "rb"));
    errno = not_writable_;
  }
  if (!file_) {
    fail_to_write(path_);
  }
  if (::flock(::fileno(file_.get()), LOCK_EX | LOCK_NB) != 0) {
    fail(path_ + " is being written by another study");
  }
}

void StudyFile::read(const StudySource& source) {
  const std::string head = head_line(source) + "\n";
  std::rewind(file_.get());
  const auto text = read_all(file_.get(), path_);
  const std::string_view known = std::string_view(text).substr(0, head.size());
  if (!head.starts_with(known)) {  // or a part of it, of a study that was killed at once
    fail(path_ + " is no study of this program, or one with another seed or other problems");
  }
  std::set<std::uint64_t> numbers;
  std::size_t whole = known == head ? head.size() : 0;  // bytes of whole lines
  while (whole > 0) {
    const auto end = text.find('\n', whole);
    if (end == std::string::npos) {
      break;
    }
    auto row = json::study_row_from(
        nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(whole),
                              text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false),
        source.rules);
    if (!row || !numbers.insert(row->number).second) {
      fail(path_ + " holds a line that is no row of a study, or one that stands there already");
    }
    rows_.push_back(std::move(*row));
    whole = end + 1;
  }
  if (whole == text.size() && whole > 0) {
    return;
  }
  std::error_code error;
  std::filesystem::resize_file(path_, whole, error);
  if (error) {
    fail("cannot write " + path_ + ": " + error.message());
  }
  if (whole == 0) {
    write(head_line(source));
  }
}

void StudyFile::require_writable() const {
  if (not_writable_ != 0) {
    errno = not_writable_;
    fail_to_write(path_);
  }
}

void StudyFile::add(const engine::StudyRow& row) {
  write(json::study_row_json(row).dump());
}

void StudyFile::write(const std::string& line) {
  require_writable();
  const std::string text = line + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      std::fflush(file_.get()) != 0) {
    fail_to_write(path_);
  }
}

}  // namespace macrostep::server
