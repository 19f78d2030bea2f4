#include "server/traces/trace_reference.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "server/json/json_text.hpp"

namespace macrostep::server {

namespace {

/// The errors of one output, as if it were the only one that is exchanged.
engine::ErrorSums sums_of_one(double nominal, std::optional<double> event_s) {
  engine::CouplingGraph graph;
  graph.nominal = {nominal};
  graph.inputs = {{.source = 0}};
  return engine::ErrorSums(graph, event_s);
}

}  // namespace

TraceReference::TraceReference(const ReferenceOf& run, const engine::TrialBackend& backend,
                               const std::atomic<bool>& stop)
    : outputs_(run.graph().output_count), exchanged_(run.graph(), run.event_s()) {
  const auto points = static_cast<std::size_t>(run.points);
  if (points > max_reference_numbers / outputs_) {
    reason_ = "there is no reference here for " + std::to_string(points) +
              " communication points; macrostep reference writes it";
    return;
  }
  values_.reserve(points * outputs_);
  const auto keep = [this](std::size_t, const engine::TracePoint& row) {
    values_.insert(values_.end(), row.outputs.begin(), row.outputs.end());
  };
  reason_ = backend
                .measure(run.plan, engine::FollowReference{.run = run.trial, .rows = run.points},
                         {.stop = &stop, .on_point = keep})
                .reason;
  for (const double nominal : run.graph().nominal) {
    each_.push_back(sums_of_one(nominal, run.event_s()));
  }
}

std::span<const double> TraceReference::next(const engine::TracePoint& point) {
  if (at_ + outputs_ > values_.size()) {
    return {};
  }
  const auto reference = std::span<const double>(values_).subspan(at_, outputs_);
  at_ += outputs_;
  exchanged_.add(point.time_s, point.outputs, reference);
  for (std::size_t i = 0; i < outputs_; ++i) {
    each_[i].add(point.time_s, point.outputs.subspan(i, 1), reference.subspan(i, 1));
  }
  return reference;
}

std::string TraceReference::deviation_json(const std::vector<std::string>& outputs,
                                           bool is_complete) const {
  const auto known = [&](double value) {
    return is_complete ? std::optional(value) : std::nullopt;
  };
  const auto all = exchanged_.error();
  std::string text;
  {
    json::ObjectText object(text);
    object.number("nrmse", known(all.nrmse)).number("max", known(all.largest));
    json::ObjectText of_outputs(object.member("outputs"));
    for (std::size_t i = 0; i < outputs_; ++i) {
      of_outputs.number(outputs[i], known(each_[i].error().nrmse));
    }
  }
  return text;
}

}  // namespace macrostep::server
