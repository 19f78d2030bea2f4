// A trace as a CSV file: it appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

#include "server/cli/frame/output_file.hpp"

namespace macrostep::server {

/// Rows under a header, of values in SI units. Failures are CommandError.
class CsvFile {
 public:
  CsvFile(std::string path, const std::string& header);

  /// One value, in the fewest digits that read back the same; nothing if it is not finite.
  void value(double value);
  /// A time n·H as a value, without the rounding of the product: "0.3", not "0.30000000000000004".
  void time(double time_s);
  void end_row();
  void commit() { file_.commit(); }

 private:
  void cell(std::string_view text);

  OutputFile file_;
  bool row_begun_ = false;
};

}  // namespace macrostep::server
