#include "server/ops/metrics_text.hpp"

#include <array>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace macrostep::server {

namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

// Every status is there from the start: a rate needs a first value.
constexpr std::array<const char*, 3> search_ends{"succeeded", "failed", "cancelled"};
constexpr std::array<const char*, 8> trial_ends{"complete",  "diverged",   "solver_failed",
                                                "fmu_error", "crashed",    "timed_out",
                                                "cancelled", "unsupported"};

std::string text_of(std::int64_t value) {
  return std::to_string(value);
}

/// In the fewest digits that read back the same.
std::string text_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string label_text(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      text += '\\';
    }
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text;
}

class Writer {
 public:
  /// What follows are its samples.
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    text_ += "# HELP " + name_ + ' ';
    text_ += help;
    text_ += "\n# TYPE " + name_ + ' ';
    text_ += type;
    text_ += '\n';
  }

  template <class Number>
  void sample(const Labels& labels, Number value, std::string_view suffix = "") {
    text_ += name_;
    text_ += suffix;
    char separator = '{';
    for (const auto& [label, content] : labels) {
      text_ += separator;
      text_ += label;
      text_ += "=\"" + label_text(content) + '"';
      separator = ',';
    }
    text_ += (labels.empty() ? " " : "} ") + text_of(value) + '\n';
  }

  template <class Number>
  void gauge(std::string_view name, std::string_view help, const std::optional<Number>& value) {
    if (value) {
      begin(name, "gauge", help);
      sample({}, *value);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::string name_;
};

void write_requests(Writer& out, const Counts& counts) {
  out.begin("macrostep_http_requests_total", "counter",
            "Requests that have been answered, by the route's pattern.");
  for (const auto& [key, one] : counts.requests) {
    for (const auto& [status_class, count] : one.by_status_class) {
      out.sample({{"route", key.route},
                  {"method", key.method},
                  {"status", std::to_string(status_class) + "xx"}},
                 count);
    }
  }
  out.begin("macrostep_http_request_duration_seconds", "histogram",
            "From a request's first byte to the end of its answer.");
  for (const auto& [key, one] : counts.requests) {
    const Labels labels{{"route", key.route}, {"method", key.method}};
    std::int64_t so_far = 0;
    for (std::size_t i = 0; i < one.by_duration.size(); ++i) {
      so_far += one.by_duration[i];
      Labels with_bound = labels;
      with_bound.emplace_back("le", i < request_duration_bounds_s.size()
                                        ? text_of(request_duration_bounds_s[i])
                                        : std::string("+Inf"));
      out.sample(with_bound, so_far, "_bucket");
    }
    out.sample(labels, one.duration_sum_s, "_sum");
    out.sample(labels, so_far, "_count");
  }
}

template <std::size_t Count>
void write_by_status(Writer& out, std::map<std::string, std::int64_t> counts,
                     const std::array<const char*, Count>& always) {
  for (const char* status : always) {
    counts.try_emplace(status, 0);
  }
  for (const auto& [status, count] : counts) {
    out.sample({{"status", status}}, count);
  }
}

}  // namespace

std::string metrics_text(const Counts& counts, const Gauges& gauges) {
  Writer out;
  out.begin("macrostep_build_info", "gauge", "Always 1; the program's version and build.");
  out.sample({{"version", gauges.version}, {"build_id", gauges.build_id}}, std::int64_t{1});
  write_requests(out, counts);
  out.gauge("macrostep_http_connections", "Connections that are open.",
            std::optional(gauges.connections));
  out.gauge("macrostep_event_streams", "Event streams that are open.",
            std::optional(gauges.event_streams));
  out.gauge("macrostep_queue_length", "Searches and analyses that wait.",
            std::optional(gauges.queue_length));
  out.begin("macrostep_searches_ended_total", "counter",
            "Searches that have ended, by the status they ended with.");
  write_by_status(out, counts.searches_by_end, search_ends);
  out.begin("macrostep_trials_total", "counter",
            "Trials of searches that are done and stored, by the status they ended with.");
  write_by_status(out, counts.trials_by_status, trial_ends);
  out.begin("macrostep_rhs_evaluations_total", "counter",
            "Evaluations of right-hand sides in these trials.");
  out.sample({}, counts.rhs_evaluations);
  out.gauge("macrostep_worker_processes",
            "Child processes: those that run FMUs, and commands of batch systems.",
            gauges.process.children);
  out.gauge("macrostep_database_file_bytes", "Size of the database file.", gauges.database_bytes);
  out.gauge("macrostep_database_wal_bytes", "Size of the database's write-ahead log.",
            gauges.wal_bytes);
  out.gauge("macrostep_fmu_store_bytes",
            "What uploaded FMUs take on the disk, with what is unpacked of them.",
            gauges.fmu_store_bytes);
  out.gauge("process_start_time_seconds", "Start of the process, since 1970 in UTC.",
            gauges.process.start_time_s);
  out.gauge("process_resident_memory_bytes", "Memory of the process that is resident.",
            gauges.process.resident_bytes);
  out.gauge("process_open_fds", "Open file descriptors.", gauges.process.open_descriptors);
  out.gauge("process_max_fds", "The most file descriptors that may be open.",
            gauges.process.max_descriptors);
  return out.take();
}

}  // namespace macrostep::server
