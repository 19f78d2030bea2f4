#include "engine/fmu_export/library/component.hpp"

#include <cstdio>
#include <cstring>
#include <string_view>

#include "engine/base/fnv.hpp"

namespace macrostep::engine::library {

namespace {

constexpr std::size_t max_setup_bytes = 1 << 20;

int digit_of(char letter) {
  if (letter >= '0' && letter <= '9') {
    return letter - '0';
  }
  const char small = static_cast<char>(letter | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// "%20" as the byte it stands for.
std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size();
    const int high = escape ? digit_of(text[i + 1]) : -1;
    const int low = escape ? digit_of(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      decoded += static_cast<char>(16 * high + low);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string text_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    throw CallRefused("cannot read " + path);
  }
  std::string text(max_setup_bytes, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

/// Hash of the token and the interface (FNV-1a, 64 bits).
std::uint64_t mark_of(const FmuInstance& instance) {
  return fnv_step(fnv_of(instance.token()), instance.mode() == FmuMode::co_simulation ? 1 : 2);
}

}  // namespace

std::string folder_of(const char* uri) {
  constexpr std::string_view scheme = "file:";
  check_argument(uri != nullptr, "that tells where the resources are");
  std::string_view text = uri;
  if (!text.starts_with(scheme)) {
    return std::string(text);
  }
  text.remove_prefix(scheme.size());
  if (text.starts_with("//")) {  // an authority, empty or this machine
    text.remove_prefix(std::min(text.find('/', 2), text.size()));
  }
  if (!text.starts_with('/')) {
    throw CallRefused("the location of the resources, " + std::string(uri) +
                      ", is no absolute path");
  }
  return percent_decoded(text);
}

std::unique_ptr<FmuInstance> make_instance(const char* token, const std::string& resources,
                                           FmuMode mode) {
  check_argument(token != nullptr, "that tells the guid or the instantiation token");
  const std::string separator = resources.ends_with('/') ? "" : "/";
  const auto read = setup_from(text_of_file(resources + separator + fmu_setup_file));
  if (const auto* wrong = std::get_if<std::string>(&read)) {
    throw CallRefused(std::string(fmu_setup_file) + " " + *wrong);
  }
  const auto& setup = std::get<FmuSetup>(read);
  if (setup.token != token) {
    throw CallRefused("the guid or instantiation token is not that of this FMU");
  }
  return std::make_unique<FmuInstance>(setup, mode);
}

void LogFilter::set(bool logging_on, std::span<const char* const> categories) {
  LogFilter filter{logging_on, categories.empty(), categories.empty()};
  for (const char* category : categories) {
    const std::string_view name = category ? category : "";
    if (name != log_error && name != log_discard) {
      throw CallRefused("there is no log category '" + std::string(name) + "'");
    }
    filter.errors = filter.errors || name == log_error;
    filter.discards = filter.discards || name == log_discard;
  }
  *this = filter;
}

std::size_t size_of_bytes(const FmuState& state) {
  return sizeof(std::uint64_t) + state.size() * sizeof(double);
}

void write_bytes(const FmuInstance& instance, const FmuState& state, std::span<char> bytes) {
  if (bytes.size() < size_of_bytes(state)) {
    throw CallRefused("the state takes " + std::to_string(size_of_bytes(state)) + " bytes, not " +
                      std::to_string(bytes.size()));
  }
  const auto mark = mark_of(instance);
  std::memcpy(bytes.data(), &mark, sizeof mark);
  std::memcpy(bytes.data() + sizeof mark, state.data(), state.size() * sizeof(double));
}

FmuState state_from_bytes(const FmuInstance& instance, std::span<const char> bytes) {
  std::uint64_t mark = 0;
  if (bytes.size() < sizeof mark || (bytes.size() - sizeof mark) % sizeof(double) != 0) {
    throw CallRefused("the bytes are no state");
  }
  std::memcpy(&mark, bytes.data(), sizeof mark);
  if (mark != mark_of(instance)) {
    throw CallRefused("the bytes are no state of this FMU");
  }
  FmuState state((bytes.size() - sizeof mark) / sizeof(double));
  std::memcpy(state.data(), bytes.data() + sizeof mark, state.size() * sizeof(double));
  return state;
}

void check_call(const FmuInstance& instance, const Demands& demands) {
  if (demands.mode && *demands.mode != instance.mode()) {
    throw CallRefused(instance.mode() == FmuMode::co_simulation
                          ? "a function of model exchange on an instance of co-simulation"
                          : "a function of co-simulation on an instance of model exchange");
  }
  if ((instance.phase() & demands.phases) == 0) {
    throw CallRefused(std::string("must not be called ") + name_of(instance.phase()));
  }
}

}  // namespace macrostep::engine::library
