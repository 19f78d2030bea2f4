#include "server/cli/jobs/run_job.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "engine/base/text.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/job/check_tests.hpp"
#include "engine/plan/check_job.hpp"
#include "server/base/text.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/jobs/job_source.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"
#include "server/store/trials_csv.hpp"

namespace macrostep::server {

namespace {

constexpr std::string_view correction_prefix = "correction.";

/// An option that stands in the job at `pointer`.
struct Override {
  std::string pointer;
  std::string option;
};

/// Puts options into a job and remembers which, to name them in messages.
class Overrides {
 public:
  explicit Overrides(nlohmann::json& job) : job_(job) {}

  /// Sets the member at the end of the path. Where the job has something else than an object on the
  /// way, it is left alone: reading the job reports that.
  void set(const std::vector<std::string>& path, nlohmann::json value, std::string option) {
    nlohmann::json* place = &job_;
    std::string pointer;
    for (const std::string& name : path) {
      if (place->is_null()) {
        *place = nlohmann::json::object();
      }
      if (!place->is_object()) {
        return;
      }
      place = &(*place)[name];
      pointer = json::pointer_to(pointer, name);
    }
    *place = std::move(value);
    options_.push_back({std::move(pointer), std::move(option)});
  }

  /// What stands nowhere in the job.
  void note(std::string pointer, std::string option) {
    options_.push_back({std::move(pointer), std::move(option)});
  }

  /// Takes a member away from the job, if it is there.
  void drop(const std::string& object, const std::string& name) {
    if (job_.is_object() && job_.contains(object) && job_[object].is_object()) {
      job_[object].erase(name);
    }
  }

  /// The errors with options in the place of their pointers, each said once.
  engine::FieldErrors named(const engine::FieldErrors& errors) const {
    engine::FieldErrors result;
    for (engine::FieldError error : errors) {
      for (const auto& [pointer, option] : options_) {
        if (error.pointer == pointer || error.pointer.starts_with(pointer + "/")) {
          error.pointer = option;
          break;
        }
      }
      const auto same = [&](const engine::FieldError& known) {
        return known.pointer == error.pointer && known.message == error.message;
      };
      if (std::ranges::none_of(result, same)) {
        result.push_back(std::move(error));
      }
    }
    return result;
  }

 private:
  nlohmann::json& job_;
  std::vector<Override> options_;
};

/// The number, or the text as it is: reading the job refuses text in the right place.
nlohmann::json number_or_text(const std::string& text) {
  const auto value = finite_number(text);
  return value ? nlohmann::json(*value) : nlohmann::json(text);
}

void apply(const RunChoices& choices, Overrides& overrides) {
  const auto choose = [&](const char* axis, const std::optional<std::string>& value,
                          const char* option) {
    if (value) {
      overrides.set({"search", axis}, nlohmann::json::array({*value}), option);
    }
  };
  choose("extrapolation", choices.extrapolation, "--extrapolation");
  choose("couplings", choices.coupling, "--coupling");
  choose("schemes", choices.scheme, "--scheme");
  choose("corrections", choices.correction, "--correction");
  if (choices.order) {
    overrides.set({"search", "orders"}, nlohmann::json::array({parts_of(*choices.order, ',')}),
                  "--order");
  } else if (choices.scheme == engine::to_string(engine::Scheme::jacobi)) {
    overrides.drop("search", "orders");  // they are for the job's other schemes
  }
  if (const auto macro_step_s = choices.macro_step_s) {
    overrides.set({"search", "macro_step"},
                  {{"initial_s", *macro_step_s},
                   {"increment_s", *macro_step_s},
                   {"maximum_s", *macro_step_s}},
                  "--macro-step");
  }
  for (const auto& [group, integrator] : choices.integrators) {
    overrides.set({"search", "integrators", group}, nlohmann::json::array({integrator}),
                  "--integrator " + group);
  }
  for (const auto& [subsystem, seconds] : choices.micro_steps) {
    overrides.set({"micro_steps", subsystem}, number_or_text(seconds), "--micro-step " + subsystem);
  }
  for (const auto& [subsystem, count] : choices.substeps) {
    overrides.set({"substeps", subsystem}, number_or_text(count), "--substeps " + subsystem);
  }
  for (const auto& [path, value] : choices.parameters) {
    // "correction.mu" is a setting of the correction, all other paths are the problem's.
    if (path.starts_with(correction_prefix)) {
      overrides.set({"search", "correction_parameters", path.substr(correction_prefix.size())},
                    number_or_text(value), "--set " + path);
    } else {
      overrides.set({"parameters", path}, number_or_text(value), "--set " + path);
    }
  }
}

/// The test to run: the named one of the job or of the problem's others, "none" always, else the
/// job's first.
engine::TestInput choose_test(const RunChoices& choices, json::JobReading& reading) {
  auto tests = reading.job.tests;
  engine::TestInput none;
  none.name = "none";
  if (!choices.test) {
    return tests.empty() ? none : tests.front();
  }
  if (const auto* built_in = engine::find_built_in(reading.job.problem)) {
    tests.insert(tests.end(), built_in->other_tests.begin(), built_in->other_tests.end());
  }
  const auto found = std::ranges::find(tests, *choices.test, &engine::TestInput::name);
  if (found != tests.end()) {
    return *found;
  }
  if (*choices.test != none.name) {
    std::vector<std::string> names{none.name};
    for (const auto& test : tests) {
      if (test.name != none.name) {
        names.push_back(test.name);
      }
    }
    reading.errors.push_back({"--test", json::unknown_name(*choices.test, names)});
  }
  // Where the end is given it does not matter.
  if (!tests.empty() && !choices.until_s) {
    none.duration_s = tests.front().duration_s;
    none.is_duration_open = tests.front().is_duration_open;
  }
  return none;
}

/// The value of --until where trials can take so long.
std::optional<double> checked(std::optional<double> time_s, engine::FieldErrors& errors) {
  if (!time_s || engine::is_duration(*time_s)) {
    return time_s;
  }
  errors.push_back({"--until", "must be a number of seconds greater than 0 and at most " +
                                   engine::number_text(engine::max_duration_s) + ", not " +
                                   engine::number_text(*time_s)});
  return std::nullopt;
}

/// Makes events later, of the tests that have some, where the value of --event-delay allows that.
void delay(std::vector<engine::TestInput>& tests, double delay_s, engine::FieldErrors& errors) {
  const auto has_event = [](const auto& test) { return first_event_s(test).has_value(); };
  if (std::ranges::none_of(tests, has_event)) {
    errors.push_back({"--event-delay", "needs a step, ramp or impulse"});
  }
  for (auto& test : tests) {
    if (!has_event(test)) {
      continue;
    }
    if (delay_s >= 0 && delay_s <= test.duration_s / 2) {
      test.delay_s = delay_s;
    } else {
      errors.push_back({"--event-delay", "must lie between 0 and half the duration of test '" +
                                             test.name + "', not " + engine::number_text(delay_s) +
                                             " s"});
    }
  }
}

/// The test in another time: what happens in a step, ramp or impulse is stretched or shortened with
/// it, a sine or a record goes on or is cut off.
engine::TestInput lasting(engine::TestInput test, double duration_s) {
  const double ratio = duration_s / test.duration_s;
  for (auto* part_s : {&test.width_s, &test.rise_s}) {
    if (*part_s) {
      **part_s *= ratio;
    }
  }
  test.periods.reset();  // which would decide the duration of a sine
  test.duration_s = duration_s;
  test.is_duration_open = false;
  test.is_width_open = false;
  return test;
}

}  // namespace

std::vector<Assignment> assignments(const std::vector<std::string>& texts,
                                    const std::string& option, const std::string& form) {
  std::vector<Assignment> result;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw CommandError(Failure::bad_usage,
                         option + " " + text + ": write " + option + " " + form);
    }
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(result, name, &Assignment::first) != result.end()) {
      throw CommandError(Failure::bad_usage, option + " " + name + ": given twice");
    }
    result.emplace_back(name, text.substr(equals + 1));
  }
  return result;
}

engine::Plan plan_run(const RunChoices& choices, const Outputs& outputs) {
  JobDocument document = load_job(choices.job, outputs);
  print_notes(document);
  Overrides overrides(document.json);
  apply(choices, overrides);
  overrides.note(engine::end_pointer, "--until");
  json::JobReading reading = json::read_job(document.json, document.fmus);
  const auto until_s = checked(choices.until_s, reading.errors);
  const auto duration_s = checked(choices.duration_s, reading.errors);
  if (!choices.all_tests) {
    reading.job.tests = {choose_test(choices, reading)};
  }
  if (duration_s) {
    for (auto& test : reading.job.tests) {
      test = lasting(std::move(test), *duration_s);
    }
  }
  if (choices.event_delay_s) {
    delay(reading.job.tests, *choices.event_delay_s, reading.errors);
  }
  // Without a macro-step of its own the job's scan is not what runs.
  const bool has_macro_step = choices.macro_step_s.value_or(0) > 0;
  auto plan = json::plan_of(std::move(reading), has_macro_step ? until_s : std::nullopt);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    throw CommandError(Failure::bad_job, "this cannot be run", overrides.named(*errors));
  }
  return std::move(std::get<engine::Plan>(plan));
}

std::string trace_header(const engine::Plan& plan, const std::vector<std::string>& others) {
  // Names of the user's own must not become formulas in a spreadsheet.
  std::string header = "t";
  for (const auto& name : engine::output_names(plan.coupling(plan.configurations.front()))) {
    header += "," + csv_cell(name);
  }
  for (const auto& name : others) {
    header += "," + name;
  }
  for (const auto& input : plan.problem.external_inputs) {
    header += "," + csv_cell(input.to.text());
  }
  return header;
}

std::vector<models::Signal> external_signals(const engine::Plan& plan) {
  std::vector<models::Signal> signals;
  for (const auto& input : plan.problem.external_inputs) {
    signals.push_back(engine::signal(plan.job.tests.front(), input));
  }
  return signals;
}

}  // namespace macrostep::server
