#include "server/process/child_end_text.hpp"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace macrostep::server {

namespace {

/// Who runs another process tells its end by a signal as an exit code from here on.
constexpr int code_of_signal = 128;
constexpr int max_signal = 64;
constexpr std::size_t max_last_words = 300;

struct SignalName {
  int number;
  const char* words;
};

constexpr std::array signal_names{
    SignalName{SIGSEGV, "segmentation fault (SIGSEGV)"},
    SignalName{SIGABRT, "abort (SIGABRT)"},
    SignalName{SIGFPE, "arithmetic error (SIGFPE)"},
    SignalName{SIGILL, "illegal instruction (SIGILL)"},
    SignalName{SIGBUS, "bus error (SIGBUS)"},
    SignalName{SIGTRAP, "trap (SIGTRAP)"},
    SignalName{SIGSYS, "forbidden system call (SIGSYS)"},
    SignalName{SIGXFSZ, "file size limit exceeded (SIGXFSZ)"},
    SignalName{SIGXCPU, "processor time limit exceeded (SIGXCPU)"},
    SignalName{SIGPIPE, "broken pipe (SIGPIPE)"},
    SignalName{SIGTERM, "request to end (SIGTERM)"},
    SignalName{SIGKILL, "killed (SIGKILL), perhaps by the system for lack of memory"},
};

std::string signal_text(int number) {
  const auto* name = std::ranges::find(signal_names, number, &SignalName::number);
  if (name != signal_names.end()) {
    return name->words;
  }
  const char* const abbreviation = ::sigabbrev_np(number);
  return abbreviation == nullptr ? "signal " + std::to_string(number)
                                 : std::string("a signal (SIG") + abbreviation + ")";
}

std::string megabytes(std::int64_t bytes) {
  return std::to_string(bytes >> 20) + " MB";
}

}  // namespace

ChildEnd end_of_other(ChildEnd end) {
  const int code = end.exit_code.value_or(0);
  if (code > code_of_signal && code <= code_of_signal + max_signal) {
    end.signal = code - code_of_signal;
    end.exit_code.reset();
  }
  return end;
}

std::string end_text(const ChildEnd& end, std::int64_t memory_limit_bytes) {
  std::string text = end.signal != 0 ? signal_text(end.signal)
                                     : "the FMU ended the process with exit code " +
                                           std::to_string(end.exit_code.value_or(0));
  if (memory_limit_bytes > 0 && end.memory_bytes > memory_limit_bytes / 2) {
    text += " after using " + megabytes(end.memory_bytes) + " of its " +
            megabytes(memory_limit_bytes) + " of memory";
  }
  return text;
}

std::string last_words(std::string_view output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) {
    output.remove_suffix(1);
  }
  if (const auto line = output.find_last_of('\n'); line != output.npos) {
    output.remove_prefix(line + 1);
  }
  std::string text;
  for (const char character : output.substr(0, max_last_words)) {
    const auto byte = static_cast<unsigned char>(character);
    text += byte >= ' ' && byte < 0x7f ? character : '?';
  }
  return text;
}

}  // namespace macrostep::server
