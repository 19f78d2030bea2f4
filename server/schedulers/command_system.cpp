#include "server/schedulers/command_system.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/base/descriptor.hpp"
#include "server/json/nearest_name.hpp"
#include "server/process/child.hpp"

namespace macrostep::server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double poll_interval_of_commands_s = 0.05;
constexpr mode_t log_mode = 0644;

constexpr const char* program_place = "{program}";
constexpr const char* manifest_place = "{manifest}";
constexpr const char* out_place = "{out}";

/// Every {name} in the words that does not follow a $.
std::vector<std::string> places_in(const std::vector<std::string>& words) {
  std::vector<std::string> places;
  for (const auto& word : words) {
    for (auto at = word.find('{'); at != word.npos; at = word.find('{', at + 1)) {
      const auto end = std::find_if_not(
          word.begin() + static_cast<std::ptrdiff_t>(at) + 1, word.end(),
          [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
      const auto size = static_cast<std::size_t>(end - word.begin()) + 1 - at;
      const bool is_place = end != word.end() && *end == '}' && size > 2;
      if (is_place && (at == 0 || word[at - 1] != '$')) {
        places.push_back(word.substr(at, size));
      }
    }
  }
  return places;
}

std::string filled(std::string text,
                   const std::array<std::pair<std::string_view, std::string>, 3>& values) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t step = 1;
    const bool of_a_shell = at > 0 && text[at - 1] == '$';
    for (const auto& [name, value] : values) {
      if (!of_a_shell && text.compare(at, name.size(), name) == 0) {
        text.replace(at, name.size(), value);
        step = value.size();  // what was filled in is not looked at again
        break;
      }
    }
    at += step;
  }
  return text;
}

/// The tasks of one round, and those that run.
class Commands {
 public:
  explicit Commands(CommandSettings settings) : settings_(std::move(settings)) {
    if (settings_.arguments.empty()) {
      settings_.arguments = {program_place,  "run-chunk", "--manifest",
                             manifest_place, "--out",     out_place};
    }
  }

  std::string submit(const Round& round) {
    stop();
    for (std::size_t task = 0; task < round.tasks; ++task) {
      waiting_.push_back(round.folder / std::to_string(task));
    }
    look();
    id_ = round.folder.filename().string();
    return id_;
  }

  Activity activity(const std::string& id) {
    if (id != id_) {
      return {};  // of an earlier process, with which its tasks have ended
    }
    look();
    return {.queued = waiting_.size(), .running = running_.size()};
  }

  void stop() {
    waiting_.clear();
    running_.clear();
  }

 private:
  struct Running {
    std::unique_ptr<Child> child;
    Clock::time_point started;
  };

  /// Takes away what has ended or takes too long, and starts as many.
  void look() {
    std::erase_if(running_, [&](Running& task) {
      return task.child->wait_for(std::chrono::milliseconds(0)) ||
             Clock::now() - task.started > std::chrono::duration<double>(settings_.limit_s);
    });
    while (!waiting_.empty() && running_.size() < static_cast<std::size_t>(settings_.at_once)) {
      const auto task = waiting_.front();
      waiting_.pop_front();
      running_.push_back({start(task), Clock::now()});
    }
  }

  std::unique_ptr<Child> start(const std::filesystem::path& task) {
    const auto file = task.string();
    const auto log = raised(
        owned(::open((file + ".log").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, log_mode),
              "open"));
    ChildCommand command;
    for (const auto& argument : settings_.arguments) {
      command.arguments.push_back(filled(argument, {{{program_place, settings_.program},
                                                     {manifest_place, file + ".json"},
                                                     {out_place, file + ".shard"}}}));
    }
    command.descriptors = {{log.get(), STDOUT_FILENO}, {log.get(), STDERR_FILENO}};
    try {
      return spawner_.start(command);
    } catch (const std::system_error& error) {
      throw std::runtime_error("cannot start the program of --chunk-command, or of its template: " +
                               std::string(error.what()));
    }
  }

  CommandSettings settings_;
  Spawner spawner_;
  std::string id_;
  std::deque<std::filesystem::path> waiting_;
  std::vector<Running> running_;
};

}  // namespace

BatchSystem command_system(const CommandSettings& settings) {
  const auto commands = std::make_shared<Commands>(settings);
  return {.submit = [commands](const Round& round) { return commands->submit(round); },
          .find = {},
          .activity = [commands](const std::string& id) { return commands->activity(id); },
          .cancel = [commands](const std::string&) { commands->stop(); },
          .poll_interval_s = poll_interval_of_commands_s};
}

std::optional<std::string> why_no_command(const std::vector<std::string>& words) {
  const std::vector<std::string> known{program_place, manifest_place, out_place};
  const auto places = places_in(words);
  for (const auto& place : places) {
    if (std::ranges::find(known, place) == known.end()) {
      return json::unknown_name(place, known);
    }
  }
  for (const char* needed : {manifest_place, out_place}) {
    if (std::ranges::find(places, needed) == places.end()) {
      return std::string("must have ") + needed +
             " in it, as in \"{program} run-chunk --manifest " + manifest_place + " --out " +
             out_place + "\"";
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_no_words(const std::string& text) {
  if (std::ranges::count(text, '"') % 2 == 0) {
    return std::nullopt;
  }
  return "the last quote (\") is not closed: " + text.substr(text.rfind('"')) +
         "; close it, or leave it out";
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    }
    if (!quoted && c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (c != '"') {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace macrostep::server
