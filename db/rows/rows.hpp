// The rows of the store as plain values. What is called JSON here is opaque text, handed in and
// handed back unchanged; SQLite checks that it is well-formed, so that queries can rely on it, and
// the store that bond residuals are numbers.
// Times are RFC 3339 UTC text with milliseconds (2025-01-31T12:00:00.000Z), which sorts as time
// does. A measured number that is unknown or not finite is an empty optional, and NULL in the file.
// Every member has a default, so that designated initialisers may name only what is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::db {

struct Progress {
  std::int64_t curves_done = 0;
  std::int64_t curves_total = 0;
  std::int64_t trials_done = 0;
  // Known while a search runs in this process; not stored.
  std::optional<double> cost_done = {};
  std::optional<double> cost_expected = {};
  std::optional<double> eta_s = {};
  std::string_view stage = {};  ///< a literal; empty: not known
};

struct Cost {
  std::int64_t trials = 0;
  std::int64_t rhs_evaluations = 0;
  double wall_s = 0;
};

/// Trials of one search whose ids follow each other.
struct TrialRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  bool operator==(const TrialRange&) const = default;
};

/// An event to be stored in the same transaction as what it tells of.
struct EventText {
  std::string name = {};
  std::string data = "{}";                // JSON
  std::optional<TrialRange> trials = {};  // that it tells of
};

struct EventRow {
  std::int64_t sequence = 0;
  std::string search = {};
  std::string name = {};
  std::string data = {};
  std::optional<TrialRange> trials = {};
};

using Events = std::vector<EventText>;
/// Numbers of events, in their order.
using Sequences = std::vector<std::int64_t>;

/// Events of finished searches are dropped once this many newer ones exist.
constexpr std::int64_t events_kept = 10'000;

/// What is known of a search when it is submitted; immutable afterwards.
struct NewSearch {
  std::string id = {};  // made by the caller, unique
  std::string name = {};
  std::string problem = {};
  std::string created_at = {};
  std::string linear_region_rule = {};
  std::string job = "{}";   // JSON, as submitted
  std::string plan = "{}";  // JSON, the normalised job
  std::optional<std::string> provenance = {};
  std::int64_t curves_total = 0;
  std::optional<std::string> idempotency_key = {};  // no other search has it
  std::string note = {};
  std::vector<std::string> tags = {};  // no two alike
  std::int64_t priority = 0;           // -100 to 100; the larger one runs first
  std::vector<std::string> fmus = {};  // SHA-256 of those that must be stored
};

/// What a list shows of a search.
struct SearchSummary {
  std::string id = {};
  std::string name = {};
  std::string problem = {};
  std::string status = {};  // queued running succeeded failed cancelled interrupted
  bool complete = false;
  std::string created_at = {};
  std::optional<std::string> started_at = {};
  std::optional<std::string> finished_at = {};
  std::optional<std::string> reason = {};
  std::string linear_region_rule = {};
  Progress progress = {};
  std::optional<std::string> recommendation = {};  // JSON, by the max–min rule
  std::string note = {};
  std::string tags = "[]";  // JSON, in the order of their bytes
  std::int64_t priority = 0;
  std::optional<std::string> queued_at = {};        // the last time
  std::optional<std::int64_t> queue_position = {};  // known to who has the queue; not stored
  std::optional<std::string> batch = {};  // JSON: its chunks, to who runs them; not stored
  // What is recommended there, without a look into the JSON.
  std::optional<std::int64_t> recommended_configuration = {};  // its id
  std::optional<double> recommended_macro_step_s = {};
  std::optional<std::string> recommended_sentence = {};
};

/// What a user changes of a search; absent: as it was.
struct SearchChange {
  std::optional<std::string> name = {};
  std::optional<std::string> note = {};
  std::optional<std::vector<std::string>> tags = {};  // no two alike
  std::optional<std::int64_t> priority = {};

  bool operator==(const SearchChange&) const = default;
};

struct SearchRow {
  SearchSummary summary = {};
  std::string job = {};
  std::string plan = {};
  std::optional<std::string> provenance = {};
  std::optional<std::string> table = {};                 // JSON: test × configurations × H
  std::optional<std::string> paper_recommendation = {};  // JSON, by the rule of the paper
  std::optional<std::string> reasons_of_none = {};       // JSON: notices, if nothing is recommended
  std::optional<Cost> cost = {};
};

struct ConfigurationRow {
  std::int64_t id = 0;  // index within the search
  std::string coupling = {};
  std::string scheme = {};
  std::string extrapolation = {};
  std::string integrators = "{}";  // JSON: group → integrator
  std::string substeps = "{}";     // JSON: subsystem → communication intervals per macro-step
  std::string correction = "none";
  std::string subsystem_order = "[]";  // JSON: as the scheme steps them; none: as listed
  std::string json = "{}";             // the whole configuration
};

struct CurveRow {
  std::int64_t id = 0;  // index within the search
  std::int64_t configuration_id = 0;
  std::string test = {};
  std::optional<double> bend_s = {};
  std::optional<double> cliff_s = {};
  std::optional<double> slope = {};
  std::optional<double> fit_coefficient = {};  // E = coefficient · H^exponent, in J with H in s
  std::optional<double> fit_exponent = {};
  std::optional<std::string> reason = {};
  std::string flags = "[]";                             // JSON
  std::optional<double> weighted_rhs_evaluations = {};  // the deterministic cost behind ranking
  std::optional<bool> counts = {};  // takes part in the recommendation; known at its end
  std::optional<double> stability_limit_s = {};  // exact, of a linear problem
  std::optional<double> rejected_from_s = {};    // by the checks of a recommendation
  // Its trials up to this H are inside the linear region; 0: none is. Known at its end.
  std::optional<double> linear_up_to_s = {};
  std::optional<double> usable_s = {};  // the largest H that may be used; known at its end, if any
  std::optional<std::string> limited_by = {};  // what ends usable_s, or leaves none; likewise
};

/// More trials than any search has: their ids fit into 32 bits.
inline constexpr std::int64_t trials_per_search = std::int64_t{1} << 32;

struct TrialRow {
  std::int64_t id = 0;  // index within the search, below trials_per_search
  std::int64_t curve_id = 0;
  std::int64_t point = 0;  // index within the curve
  double macro_step_s = 0;
  std::string status = {};
  std::optional<std::string> reason = {};
  std::optional<double> residual_J = {};
  std::optional<double> startup_residual_J = {};
  std::optional<double> relative_residual = {};
  std::optional<double> transmitted_J = {};  // energy that crossed the bonds
  std::string bond_residuals_J = "[]";       // JSON, one number or null per power bond
  std::optional<double> nrmse = {};
  std::int64_t macro_steps = 0;
  std::int64_t rhs_evaluations = 0;
  std::optional<double> cost = {};  // evaluations × the weight of their model: deterministic
  std::optional<double> wall_s = {};
  std::optional<double> event_delay_s = {};  // how late its test was; of versions before: absent
  // Follows from linear_up_to_s of its curve: handed out, never handed in.
  std::optional<bool> inside_linear_region = {};

  bool operator==(const TrialRow&) const = default;
};

/// One per rule; without a configuration it says by its reason why there is none.
struct RecommendationRow {
  std::string rule = "max_min";  // or "paper"
  std::optional<std::int64_t> configuration_id = {};
  std::optional<double> macro_step_s = {};
  std::optional<double> bend_s = {};
  std::optional<double> cliff_s = {};
  std::optional<double> relative_residual = {};
  std::optional<double> confidence = {};
  std::optional<std::string> reason = {};
  std::optional<std::string> json = {};     // the whole recommendation
  std::optional<std::string> reasons = {};  // JSON: notices, if nothing is recommended
  std::optional<std::string> sentence = {};
  std::optional<double> nrmse = {};            // of the outputs, the largest over the tests
  std::optional<std::string> error_test = {};  // in which it is that
  std::optional<double> stability_limit_s = {};
  std::optional<double> growth_per_s = {};  // of its fastest motion
  std::optional<std::string> verdict = {};  // verified or unverified, if there is one
  std::optional<double> accuracy = {};      // that the job asks for
};

/// Times of the macro-steps of one configuration at one H.
struct StepTimesRow {
  std::int64_t configuration_id = 0;
  double macro_step_s = 0;
  std::int64_t macro_steps = 0;  // that were timed
  double median_s = 0;
  double p999_s = 0;
  double worst_s = 0;
};

struct StatusChange {
  std::string status = {};
  std::optional<std::string> reason = {};
  std::optional<std::string> finished_at = {};  // empty for a state that is no end
  std::optional<std::string> queued_at = {};    // of a search; absent: unchanged
};

/// A search begins, or begins again: its curves are known, an earlier end is forgotten, stored
/// trials stay.
struct SearchStart {
  std::string started_at = {};  // of the first start; a later one does not overwrite it
  std::vector<ConfigurationRow> configurations = {};
  std::vector<CurveRow> curves = {};
  Progress progress = {};
  std::optional<std::string> plan = {};        // that its results index; absent: unchanged
  std::optional<std::string> provenance = {};  // absent: unchanged
};

/// Results to be stored together: all of them, or none.
struct ResultBatch {
  std::span<const TrialRow> trials = {};
  Progress progress = {};
};

struct SearchEnd {
  std::string status = {};
  bool complete = false;
  std::string finished_at = {};
  std::optional<std::string> reason = {};
  std::vector<CurveRow> curves = {};
  std::vector<RecommendationRow> recommendations = {};
  std::vector<StepTimesRow> step_times = {};  // no configuration twice at one H
  std::optional<std::string> table = {};
  Progress progress = {};
  Cost cost = {};
};

/// A search that may go, while its end is this one.
struct DisposableSearch {
  std::string id;
  std::string finished_at;

  bool operator==(const DisposableSearch&) const = default;
};

/// The longest page of a listing; a greater limit means this one.
constexpr std::int64_t maximum_page_rows = 1000;

template <class Row>
struct Page {
  std::vector<Row> rows = {};
  std::optional<std::string> next = {};  // hand back as `after`; empty at the end
};

}  // namespace macrostep::db
