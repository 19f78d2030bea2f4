// What goes wrong in the store, as one exception: an operating-system or SQLite failure with its
// code and context. After any Error the store is unchanged and stays usable.
#pragma once

#include <stdexcept>
#include <string>

namespace macrostep::db {

enum class ErrorKind {
  sqlite,        // any other SQLite failure: I/O, busy
  corrupt,       // the file is damaged
  constraint,    // a row contradicts the schema: duplicate id, unknown curve, malformed JSON text
  full,          // the disk, or the size allowed to the file, is used up
  locked,        // another process writes this file; the message names it
  foreign_file,  // not a database of macrostep
  other_schema,  // written by a newer macrostep or a development version, or older and only read
  not_found,     // no such search
  unknown_fmu,   // a search needs one that is not stored
  bad_cursor,    // a page cursor that no listing gave out
  read_only,     // a write to a store that was opened for reading
  system         // a failed call to the operating system; code is errno
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, int code = 0)
      : std::runtime_error(message), kind_(kind), code_(code) {}

  ErrorKind kind() const { return kind_; }
  /// SQLite's extended result code, or errno for ErrorKind::system; 0 if neither applies.
  int code() const { return code_; }

 private:
  ErrorKind kind_;
  int code_;
};

}  // namespace macrostep::db
