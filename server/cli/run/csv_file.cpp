#include "server/cli/run/csv_file.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "engine/base/text.hpp"

namespace macrostep::server {

CsvFile::CsvFile(std::string path, const std::string& header) : file_(std::move(path)) {
  file_.write(header);
  file_.write("\n");
}

void CsvFile::value(double value) {
  cell(std::isfinite(value) ? engine::exact_text(value) : "");
}

void CsvFile::time(double time_s) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.15g", time_s);
  cell(text.data());
}

void CsvFile::cell(std::string_view text) {
  if (std::exchange(row_begun_, true)) {
    file_.write(",");
  }
  file_.write(text);
}

void CsvFile::end_row() {
  file_.write("\n");
  row_begun_ = false;
}

}  // namespace macrostep::server
