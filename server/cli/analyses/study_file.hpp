// The rows of a study that are done, kept in a file: one JSON text a line, the first one telling
// which study it is. A study that was interrupted goes on from there; a line that a kill has cut
// off is left out and written again.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/study/study.hpp"

namespace macrostep::server {

/// Where the problems of a study come from.
struct StudySource {
  std::uint64_t seed = 0;
  std::optional<std::string> problems;  ///< digest of those given; absent: they are drawn
  engine::StudyRules rules = engine::StudyRules::searches;
};

class StudyFile {
 public:
  /// Reads what is there and keeps others out; CommandError where the file is anything but the same
  /// study, which leaves it as it is, or cannot be used.
  StudyFile(std::string path, const StudySource& source);

  const std::vector<engine::StudyRow>& rows() const { return rows_; }
  /// CommandError for a file that may only be read: what is there can be shown, but not added to.
  void require_writable() const;
  /// CommandError where the file cannot be written.
  void add(const engine::StudyRow& row);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void open();
  void read(const StudySource& source);
  void write(const std::string& line);

  std::string path_;
  std::vector<engine::StudyRow> rows_;
  std::unique_ptr<std::FILE, Close> file_;
  int not_writable_ = 0;  ///< why, as errno; 0: it is
};

}  // namespace macrostep::server
