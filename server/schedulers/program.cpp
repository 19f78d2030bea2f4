#include "server/schedulers/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <utility>

#include "server/base/descriptor.hpp"
#include "server/process/child.hpp"

namespace macrostep::server {

namespace {

constexpr std::chrono::seconds program_limit{60};
constexpr std::size_t max_output_bytes = std::size_t{1} << 20U;
constexpr int number_of_kept_descriptor = 3;

struct Stream {
  Descriptor end;
  std::string* text;
  bool open = true;
};

/// What is there to be read; more than the limit is thrown away.
void read_some(Stream& stream) {
  std::array<char, 4096> buffer{};
  const auto taken = ::read(stream.end.get(), buffer.data(), buffer.size());
  if (taken > 0 && stream.text->size() < max_output_bytes) {
    stream.text->append(buffer.data(), static_cast<std::size_t>(taken));
  }
  stream.open = taken > 0 || (taken < 0 && errno == EINTR);
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& arguments, int kept_open) {
  auto [out_read, out_write] = make_pipe();
  auto [err_read, err_write] = make_pipe();
  ChildCommand command{
      .arguments = arguments,
      .descriptors = {{out_write.get(), STDOUT_FILENO}, {err_write.get(), STDERR_FILENO}}};
  Descriptor kept;
  if (kept_open >= 0) {
    kept = raised(owned(::fcntl(kept_open, F_DUPFD_CLOEXEC, 0), "fcntl"));
    command.descriptors.emplace_back(kept.get(), number_of_kept_descriptor);
  }
  Child child(command);
  out_write.close();
  err_write.close();
  ProgramEnd end;
  std::array<Stream, 2> streams{{{std::move(out_read), &end.out}, {std::move(err_read), &end.err}}};
  const auto deadline = std::chrono::steady_clock::now() + program_limit;
  const auto left = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline -
                                                                 std::chrono::steady_clock::now());
  };
  while ((streams[0].open || streams[1].open) && left().count() > 0) {
    std::array<pollfd, 2> watched{};
    for (std::size_t i = 0; i < streams.size(); ++i) {
      watched[i] = {.fd = streams[i].open ? streams[i].end.get() : -1, .events = POLLIN};
    }
    ::poll(watched.data(), watched.size(), static_cast<int>(left().count()));
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (watched[i].revents != 0) {
        read_some(streams[i]);
      }
    }
  }
  if (!child.wait_for(std::max(left(), std::chrono::milliseconds(0)))) {
    child.kill();
  }
  end.code = child.wait_for(kill_timeout).value_or(ChildEnd{}).exit_code.value_or(-1);
  return end;
}

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

}  // namespace macrostep::server
