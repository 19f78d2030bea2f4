// A trace as a CSV file: it appears under its name only when it is complete.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace macrostep::server::commands {

/// Rows go to a temporary file beside the target, which takes the target's name in commit();
/// without commit() nothing is left behind. A target that is no regular file (a pipe), or a link
/// (/dev/stdout), is written directly; a named pipe needs its reader first. Failures are
/// CommandError.
class CsvFile {
 public:
  static constexpr std::string_view standard_output = "-";  ///< as a path

  CsvFile(std::string path, const std::string& header);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  /// One value, in the fewest digits that read back the same; nothing if it is not finite.
  void value(double value);
  /// The same of a time n·H, without the rounding of the product: "0.3", not
  /// "0.30000000000000004".
  void time(double time_s);
  void end_row();
  void commit();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void open();
  std::FILE* open_pipe() const;
  void cell(std::string_view text);
  void write(std::string_view text);
  [[noreturn]] void fail() const;

  std::string path_;
  std::string temporary_;  ///< empty where the target is written directly, or once it has its name
  std::unique_ptr<std::FILE, Close> file_;
  bool row_begun_ = false;
};

/// A whole text, whatever it holds, in the same way. It ends with a line break.
void write_text(const std::string& path, std::string_view text);

}  // namespace macrostep::server::commands
