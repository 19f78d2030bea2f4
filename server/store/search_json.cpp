#include "server/store/search_json.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "server/json/flags.hpp"
#include "server/json/json_text.hpp"
#include "server/json/words.hpp"

namespace macrostep::server {

namespace {

using json::ObjectText;

const std::string& configuration_of(const SearchRows& search, const db::CurveRow& curve) {
  return search.configurations.at(static_cast<std::size_t>(curve.configuration_id)).json;
}

void add_summary(ObjectText& object, const db::SearchSummary& summary) {
  const auto id = summary.id.empty() ? std::nullopt : std::optional(summary.id);
  object.text_or_null("id", id)
      .text("name", summary.name)
      .text("problem", summary.problem)
      .text("status", summary.status)
      .boolean("complete", summary.complete)
      .text("note", summary.note)
      .json("tags", summary.tags)
      .integer("priority", summary.priority)
      .integer_or_null("queue_position", summary.queue_position)
      .json_or_null("batch", summary.batch)
      .text("created_at", summary.created_at)
      .text_or_null("started_at", summary.started_at)
      .text_or_null("finished_at", summary.finished_at)
      .json("progress", progress_json(summary.progress))
      .json_or_null("recommendation", summary.recommendation)
      .text_or_null("reason", summary.reason)
      .text_or_null("sentence", answer_sentence(summary));
}

void add_point(ObjectText& object, const db::TrialRow& trial) {
  object.number("macro_step_s", trial.macro_step_s)
      .number("residual_J", trial.residual_J)
      .number("relative_residual", trial.relative_residual)
      .text("status", trial.status);
  if (trial.inside_linear_region) {
    object.boolean("inside_linear_region", *trial.inside_linear_region);
  } else {
    object.json("inside_linear_region", "null");
  }
}

void append_points(std::string& out, const SearchRows& search,
                   const std::vector<const db::TrialRow*>& points) {
  json::append_list(out, points, [&](std::string& text, const db::TrialRow* trial) {
    ObjectText point(text);
    if (!search.row.summary.id.empty()) {  // else it cannot be asked for
      point.integer("trial_id", trial->id);
    }
    add_point(point, *trial);
  });
}

void append_fit(std::string& out, const db::CurveRow& curve) {
  if (curve.fit_coefficient && curve.fit_exponent) {
    ObjectText fit(out);
    fit.number("coefficient", *curve.fit_coefficient).number("exponent", *curve.fit_exponent);
  } else {
    out += "null";
  }
}

void append_curves(std::string& out, const SearchRows& search, TrialPoints points) {
  json::append_list(out, search.curves, [&](std::string& text, const db::CurveRow& curve) {
    ObjectText object(text);
    object.integer("id", curve.id)
        .json("configuration", configuration_of(search, curve))
        .text("test", curve.test)
        .number("bend_s", curve.bend_s)
        .number("cliff_s", curve.cliff_s)
        .number("stability_limit_s", curve.stability_limit_s)
        .number("rejected_from_s", curve.rejected_from_s)
        .number("slope", curve.slope);
    append_fit(object.member("fit"), curve);
    object.text("reason", curve.reason.value_or("")).json("flags", curve.flags);
    if (curve.counts) {
      object.boolean("counts", *curve.counts);
    } else {
      object.json("counts", "null");
    }
    object.number("usable_s", curve.usable_s).text_or_null("limited_by", curve.limited_by);
    if (points == TrialPoints::with) {
      append_points(object.member("points"), search, points_of(search, curve.id));
    }
  });
}

void append_step_times(std::string& out, const SearchRows& search) {
  json::append_list(out, search.step_times, [&](std::string& text, const db::StepTimesRow& row) {
    ObjectText(text)
        .integer("configuration_id", row.configuration_id)
        .json("configuration",
              search.configurations.at(static_cast<std::size_t>(row.configuration_id)).json)
        .number("macro_step_s", row.macro_step_s)
        .integer("macro_steps", row.macro_steps)
        .number("median_s", row.median_s)
        .number("p999_s", row.p999_s)
        .number("worst_s", row.worst_s);
  });
}

void append_missing_curves(std::string& out, const SearchRows& search) {
  std::vector<const db::CurveRow*> missing;
  for (const auto& curve : search.curves) {
    if (!curve.reason) {
      missing.push_back(&curve);
    }
  }
  json::append_list(out, missing, [&](std::string& text, const db::CurveRow* curve) {
    ObjectText object(text);
    object.integer("id", curve->id)
        .json("configuration", configuration_of(search, *curve))
        .text("test", curve->test);
  });
}

void append_cost(std::string& out, const std::optional<db::Cost>& cost) {
  if (!cost) {
    out += "null";
    return;
  }
  ObjectText(out)
      .integer("trials", cost->trials)
      .integer("rhs_evaluations", cost->rhs_evaluations)
      .number("wall_s", cost->wall_s);
}

/// Every flag that occurs in the table or in a curve, and what limits a curve: what it means.
void append_flag_meanings(std::string& out, const SearchRows& search) {
  std::set<std::string> flags;
  const auto insert = [&](const nlohmann::json& list) {
    for (const auto& flag : list) {
      flags.insert(flag.get<std::string>());
    }
  };
  if (search.row.table) {
    for (const auto& row : nlohmann::json::parse(*search.row.table)) {
      insert(row.at("flags"));
    }
  }
  std::set<std::string_view> lists;  // thousands of curves have a few different lists
  for (const auto& curve : search.curves) {
    if (curve.limited_by) {
      flags.insert(*curve.limited_by);
    }
    if (lists.insert(curve.flags).second) {
      insert(nlohmann::json::parse(curve.flags));
    }
  }
  ObjectText meanings(out);
  for (const auto& flag : flags) {
    meanings.text(flag, json::flag_meaning(flag));
  }
}

std::optional<std::string> unless_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(std::string(text));
}

}  // namespace

std::string progress_json(const db::Progress& progress) {
  std::string text;
  ObjectText(text)
      .integer("curves_done", progress.curves_done)
      .integer("curves_total", progress.curves_total)
      .integer("trials_done", progress.trials_done)
      .number("cost_done", progress.cost_done)
      .number("cost_expected", progress.cost_expected)
      .number("eta_s", progress.eta_s)
      .text_or_null("stage", unless_empty(progress.stage))
      .text_or_null("stage_text", unless_empty(json::stage_words(progress.stage)));
  return text;
}

std::optional<std::string> answer_sentence(const db::SearchSummary& summary) {
  if (!is_final(summary.status)) {
    return std::nullopt;
  }
  if (const auto& sentence = summary.recommended_sentence) {
    return summary.complete ? *sentence : "Best so far: " + *sentence;
  }
  const std::string reason = summary.reason.value_or("");
  return summary.status == "failed" ? "The search failed: " + reason + "."
                                    : json::sentence_of_none(reason);
}

std::string summary_json(const db::SearchSummary& summary) {
  std::string text;
  {
    ObjectText object(text);
    add_summary(object, summary);
  }
  return text;
}

std::string search_json(const SearchRows& search, TrialPoints points) {
  const auto& row = search.row;
  std::string text;
  {
    ObjectText object(text);
    add_summary(object, row.summary);
    object.json("job", row.plan).json_or_null("table", row.table);
    append_flag_meanings(object.member("flag_meanings"), search);
    object.json("reasons", row.reasons_of_none.value_or("[]"))
        .json_or_null("paper_rule", row.paper_recommendation);
    append_step_times(object.member("step_times"), search);
    append_curves(object.member("curves"), search, points);
    if (is_final(row.summary.status) && !row.summary.complete) {
      append_missing_curves(object.member("missing_curves"), search);
    }
    append_cost(object.member("cost"), row.cost);
    object.json_or_null("provenance", row.provenance);
  }
  return text;
}

std::string curves_json(const SearchRows& search) {
  std::string text;
  {
    ObjectText object(text);
    append_curves(object.member("curves"), search, TrialPoints::with);
  }
  return text;
}

void append_curve_point(std::string& out, const db::TrialRow& trial) {
  ObjectText object(out);
  object.integer("curve_id", trial.curve_id).integer("trial_id", trial.id);
  add_point(object, trial);
}

std::string trial_json(const SearchRows& search, const db::TrialRow& trial) {
  const auto& curve = search.curves.at(static_cast<std::size_t>(trial.curve_id));
  std::string text;
  ObjectText(text)
      .integer("id", trial.id)
      .integer("curve_id", trial.curve_id)
      .text("test", curve.test)
      .json("configuration", configuration_of(search, curve))
      .number("macro_step_s", trial.macro_step_s)
      .text("status", trial.status)
      .text_or_null("reason", trial.reason)
      .number("residual_J", trial.residual_J)
      .number("startup_residual_J", trial.startup_residual_J)
      .number("relative_residual", trial.relative_residual)
      .integer("macro_steps", trial.macro_steps)
      .integer("rhs_evaluations", trial.rhs_evaluations)
      .number("wall_s", trial.wall_s)
      .number("event_delay_s", trial.event_delay_s);
  return text;
}

}  // namespace macrostep::server
