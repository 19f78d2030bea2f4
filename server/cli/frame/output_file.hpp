// The files that commands write: whole or not at all, and never in the place of something else.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::server {

/// What a file holds: lines of text, or a zip archive (.fmu, .ssp).
enum class Content { text, archive };

/// An option that names a file to write; without a path it is not given.
struct Output {
  static constexpr std::string_view standard_output = "-";  ///< as a path

  std::string option;  ///< "--csv"
  std::optional<std::string> path;
  Content content = Content::text;
};

/// The answer as JSON, where it is wanted: it has the standard output.
Output json_output(bool wanted);

/// All that one command is to write, checked before its work begins.
class Outputs {
 public:
  /// Throws CommandError naming the option where two of them are the same, where a folder is
  /// missing, or where something stands that must not be replaced: a directory, a device of blocks,
  /// a database, what belongs to one, another file of another content, one that is protected.
  explicit Outputs(std::vector<Output> outputs = {});

  /// Throws CommandError if a file that the command reads is one that it is to write; `what` says
  /// what is read: "the job".
  void require_apart(std::string_view what, const std::filesystem::path& file) const;

  /// Throws CommandError if the command is to write a file of a database that it reads or makes, or
  /// one that lies beside it.
  void require_apart_from_database(const std::filesystem::path& database) const;

  /// Whether a file goes to the standard output, so that the answer must not.
  bool file_has_standard_output() const;

 private:
  std::vector<Output> outputs_;
};

/// Bytes go to a temporary file beside the target, which takes the target's name in commit();
/// without commit() nothing is left behind. A target that is no regular file (a pipe), or a link,
/// is written directly; what this process has open already (/dev/stdout, /dev/fd/3) goes on where
/// it is; a named pipe needs its reader first. Failures are CommandError.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void open();
  std::FILE* open_pipe() const;
  void keep_protection();
  [[noreturn]] void fail() const;

  std::string path_;
  std::string temporary_;  ///< empty where the target is written directly, or once it has its name
  std::unique_ptr<std::FILE, Close> file_;
};

/// All of it at once.
void write_output(const std::string& path, std::string_view bytes);

}  // namespace macrostep::server
