#include "server/cli/search/watch.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/frame/token_file.hpp"
#include "server/cli/search/residual_plot.hpp"
#include "server/cli/search/watch_address.hpp"
#include "server/http/server/client.hpp"
#include "server/http/server/event_reader.hpp"

namespace macrostep::server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{60};  // with a server that is away
constexpr std::chrono::milliseconds retry_pause{500};
constexpr std::chrono::milliseconds stream_silence{45'000};  // three heartbeats
constexpr std::chrono::milliseconds picture_interval{200};
constexpr std::size_t widest_plot = 100;
constexpr std::size_t live_rows = 14;
constexpr std::size_t final_rows = 18;
constexpr double same_h = 1e-9;  // relative

/// Ctrl-C, before there was an answer.
struct Interrupted {};

/// What a server says of an error, for people.
CommandError server_refusal(const http::ClientAnswer& answer, const WatchAddress& address) {
  const auto problem = nlohmann::json::parse(answer.body, nullptr, false);
  const std::string said = problem.is_object() ? problem.value("detail", "") : "";
  const std::string where = http::authority(address.host, address.port);
  if (answer.status == 401) {
    return {Failure::bad_usage, where + " wants a token: give the file that has it, --token-file"};
  }
  const bool is_mistake = answer.status == 404 && !said.empty();
  return {is_mistake ? Failure::bad_usage : Failure::failed,
          where + " answers " + std::to_string(answer.status) + (said.empty() ? "" : ": " + said)};
}

/// The server that is asked, with what every request to it has.
class Server {
 public:
  Server(const WatchOptions& options, const std::atomic<bool>& stop)
      : address_(watch_address(options.url)), stop_(stop) {
    if (!options.token_file.empty()) {
      headers_.emplace_back("Authorization", "Bearer " + read_token(options.token_file));
    }
  }

  WatchAddress& address() { return address_; }

  nlohmann::json get(const std::string& target) const {
    const auto answer = http::get(request(target), stop_);
    if (stop_) {
      throw Interrupted{};
    }
    if (answer.status != 200) {
      throw server_refusal(answer, address_);
    }
    return nlohmann::json::parse(answer.body);
  }

  std::string search_path() const { return "/api/v1/searches/" + address_.search; }

  /// The events after `sequence` until the stream ends; false: the search has ended, and there are
  /// no more.
  bool follow(std::int64_t sequence, const std::function<void(const http::Event&)>& found) const {
    auto asked = request("/api/v1/events?search=" + address_.search);
    asked.limits.silence = stream_silence;
    asked.headers.emplace_back("Last-Event-ID", std::to_string(sequence));
    http::EventReader reader;
    const auto answer =
        http::get(asked, stop_, [&](std::string_view piece) { reader.take(piece, found); });
    if (answer.status == 503) {  // it stops, or has as many streams as it takes
      throw http::ClientError(http::authority(address_.host, address_.port) + " is busy");
    }
    if (!stop_ && answer.status != 200 && answer.status != 204) {
      throw server_refusal(answer, address_);
    }
    return answer.status != 204;
  }

 private:
  http::ClientRequest request(const std::string& target) const {
    return {.host = address_.host,
            .port = address_.port,
            .target = target,
            .headers = headers_,
            .limits = {}};
  }

  WatchAddress address_;
  const std::atomic<bool>& stop_;
  std::vector<http::NamedValue> headers_;
};

/// What runs comes before what waits, and that before what has ended.
std::string latest_search(const Server& server) {
  for (const char* filter : {"&status=running", "&status=queued,interrupted", ""}) {
    const auto page = server.get(std::string("/api/v1/searches?limit=1") + filter);
    if (!page.at("searches").empty()) {
      return page.at("searches").front().at("id");
    }
  }
  throw CommandError(Failure::failed, "the server has no search to watch");
}

void add_point(std::vector<ResidualPoint>& curve, const nlohmann::json& point) {
  if (point.at("residual_J").is_number() && point.at("status") == "complete") {
    curve.push_back({point.at("macro_step_s"), point.at("residual_J")});
  }
}

std::optional<double> number_in(const nlohmann::json& object, const char* name) {
  const auto& value = object.at(name);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// The part of stderr that is drawn anew again and again.
class LivePicture {
 public:
  LivePicture() : visible_(isatty(STDERR_FILENO) == 1) {}
  ~LivePicture() { clear(); }
  LivePicture(const LivePicture&) = delete;
  LivePicture& operator=(const LivePicture&) = delete;

  void show(const std::function<std::string()>& text) {
    const auto now = Clock::now();
    if (!visible_ || now < next_) {
      return;
    }
    next_ = now + picture_interval;
    clear();
    const std::string drawn = text();
    lines_ = static_cast<std::size_t>(std::ranges::count(drawn, '\n'));
    print_message(drawn);
  }
  void clear() {
    if (lines_ > 0) {
      print_message("\033[" + std::to_string(lines_) + "A\r\033[J");
      lines_ = 0;
    }
  }

 private:
  bool visible_;
  std::size_t lines_ = 0;
  Clock::time_point next_ = Clock::now();
};

PlotShape shape_for(int stream, std::size_t rows) {
  PlotShape shape{.columns = 80, .rows = rows, .braille = shows_styles(stream)};
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    shape.columns = std::min<std::size_t>(size.ws_col, widest_plot);
    // The bar, the axis and the legend want some lines, too.
    shape.rows = std::min<std::size_t>(rows, size.ws_row > 12 ? size.ws_row - 8U : 4U);
  }
  return shape;
}

/// What is known of the search while it runs.
struct Watched {
  std::string name;
  std::string status;
  nlohmann::json progress;
  std::map<std::int64_t, PlottedCurve> curves;
  bool is_away = false;       ///< the server; what is known of the search is from before
  std::int64_t sequence = 0;  ///< of the last event; their numbers begin with 1

  void take(const http::Event& event) {
    is_away = false;
    sequence = event.sequence;
    const auto data = nlohmann::json::parse(event.data);
    if (const auto found = data.find("status"); found != data.end()) {
      status = *found;
    }
    if (const auto found = data.find("progress"); found != data.end()) {
      progress = *found;
    }
    if (event.name == "points") {
      for (const auto& point : data.at("points")) {
        add_point(curves[point.at("curve_id")].points, point);
      }
    }
  }

  std::string picture() const {
    std::vector<PlottedCurve> drawn;
    for (const auto& [id, curve] : curves) {
      drawn.push_back(curve);
    }
    const auto count = [&](const char* member) {
      return progress.is_object() ? progress.at(member).get<std::size_t>() : 0;
    };
    const auto eta_s = progress.is_object() ? number_in(progress, "eta_s") : std::nullopt;
    const std::size_t done = count("curves_done");
    const std::size_t total = count("curves_total");
    const PlotShape shape = shape_for(STDERR_FILENO, live_rows);
    const std::string line = bar(done, total) + " " + std::to_string(done) + " of " +
                             std::to_string(total) + " curves, " +
                             std::to_string(count("trials_done")) + " trials" +
                             (eta_s ? ", about " + duration(*eta_s) + " left" : "") + ", " +
                             (is_away ? "server away" : status) + ": " + printable(name);
    // A line that the terminal breaks would be two to go back over.
    return residual_plot(drawn, {}, shape) +
           std::string(engine::whole_characters(line, shape.columns - 1)) + "\n";
  }
};

/// Events until the search has ended or somebody wants to stop; comes back after what breaks.
void follow(const Server& server, Watched& watched, const std::atomic<bool>& stop) {
  LivePicture live;
  auto heard = Clock::now();
  while (!stop) {
    try {
      const bool goes_on = server.follow(watched.sequence, [&](const http::Event& event) {
        watched.take(event);
        live.show([&] { return watched.picture(); });
      });
      if (!goes_on) {
        return;
      }
      heard = Clock::now();
    } catch (const http::ClientError& error) {
      if (Clock::now() - heard > patience) {
        throw CommandError(Failure::failed, error.what());
      }
      watched.is_away = true;
      live.show([&] { return watched.picture(); });
    }
    std::this_thread::sleep_for(retry_pause);
  }
}

/// The curves as they are stored, those of the recommendation on top.
std::string final_plot(const nlohmann::json& search, const nlohmann::json& curves) {
  const auto& best = search.at("recommendation");
  std::vector<PlottedCurve> drawn;
  for (const auto& curve : curves.at("curves")) {
    PlottedCurve plotted;
    const auto& configuration = curve.at("configuration");
    plotted.is_chosen =
        best.is_object() && std::ranges::all_of(configuration.items(), [&](const auto& member) {
          return best.contains(member.key()) && best.at(member.key()) == member.value();
        });
    for (const auto& point : curve.at("points")) {
      add_point(plotted.points, point);
    }
    drawn.push_back(std::move(plotted));
  }
  std::ranges::stable_partition(drawn, [](const auto& curve) { return !curve.is_chosen; });
  PlotMarks marks;
  if (best.is_object()) {
    marks = {.macro_step_s = number_in(best, "macro_step_s"),
             .bend_s = number_in(best, "bend_s"),
             .cliff_s = number_in(best, "cliff_s")};
    const bool is_bend = marks.bend_s && *marks.bend_s <= *marks.macro_step_s * (1 + same_h);
    marks.bend_s = is_bend ? std::nullopt : marks.bend_s;
  }
  return residual_plot(drawn, marks, shape_for(STDOUT_FILENO, final_rows));
}

std::string report_of(const nlohmann::json& search, const nlohmann::json& curves) {
  const auto text_of = [&](const char* member) {
    return search.at(member).is_string() ? search.at(member).get<std::string>() : std::string();
  };
  const std::string answer = !text_of("sentence").empty()
                                 ? text_of("sentence")
                                 : "The search has " + text_of("status") +
                                       (text_of("reason").empty() ? "" : ": " + text_of("reason")) +
                                       ".";
  std::string text = bold(wrapped(printable(answer), 0)) + "\n";
  if (search.at("recommendation").is_object()) {
    for (const auto& warning : search.at("recommendation").at("warnings")) {
      text += "  note: " + wrapped(printable(warning.get<std::string>()), 8) + ".\n";
    }
  }
  const std::string plot = final_plot(search, curves);
  return text + (plot.empty() ? "" : "\n" + plot);
}

int exit_code_of(const std::string& status) {
  if (status == "failed") {
    return exit_failed;
  }
  return status == "succeeded" ? exit_success : exit_interrupted;
}

}  // namespace

int watch_search(const WatchOptions& options) {
  Interrupt interrupt;
  try {
    Server server(options, interrupt.requested());
    if (server.address().search.empty()) {
      server.address().search = latest_search(server);
    }
    const auto summary = server.get(server.search_path());
    Watched watched{.name = summary.at("name"),
                    .status = summary.at("status"),
                    .progress = summary.at("progress"),
                    .curves = {}};
    follow(server, watched, interrupt.requested());
    if (interrupt.requested()) {
      print_message("No longer watched; the search goes on at the server.\n");
    }
    if (options.json) {
      // Also after Ctrl-C: whoever reads it gets what there is. A further one ends the program.
      const std::atomic<bool> never{false};
      Server last(options, never);
      last.address() = server.address();
      const auto document = last.get(last.search_path() + "/export?format=json");
      print(document.dump() + "\n");
      return interrupt.requested() ? exit_interrupted : exit_code_of(document.at("status"));
    }
    if (interrupt.requested()) {
      return exit_interrupted;
    }
    const auto search = server.get(server.search_path());
    print(report_of(search, server.get(server.search_path() + "/curves")));
    return exit_code_of(search.at("status"));
  } catch (const Interrupted&) {
    return exit_interrupted;
  } catch (const http::ClientError& error) {
    throw CommandError(Failure::failed, error.what());
  } catch (const nlohmann::json::exception&) {
    throw CommandError(Failure::failed,
                       "what answers at " + options.url + " is no macrostep server");
  }
}

}  // namespace macrostep::server
