// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace macrostep::server {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }

  int get() const { return number_; }
  void close() { Descriptor().swap(*this); }

 private:
  void swap(Descriptor& other) { std::swap(number_, other.number_); }

  int number_ = -1;
};

[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Takes what a system call returned. Throws std::system_error if it failed.
inline Descriptor owned(int number, const char* what) {
  if (number < 0) {
    throw_errno(what);
  }
  return Descriptor(number);
}

/// Reads and writes return at once from here on. Throws std::system_error.
void set_nonblocking(const Descriptor& descriptor);

/// Under a number that no process begins with.
Descriptor raised(Descriptor low);

/// The reading and the writing end, raised; closed in processes that are started, unless given to
/// them.
std::pair<Descriptor, Descriptor> make_pipe();
/// The two ends of a stream, likewise.
std::pair<Descriptor, Descriptor> make_socket_pair();

}  // namespace macrostep::server
