// What tells searches apart: their normalised jobs, what they recommend, where their curves end,
// what they cost. Differences only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/search_rows.hpp"

namespace macrostep::server {

inline constexpr std::size_t min_compared_searches = 2;
inline constexpr std::size_t max_compared_searches = 20;
/// Curves of all of them together: each costs time and, with the ends it has in every search,
/// memory.
inline constexpr std::int64_t max_compared_curves = 200'000;
/// Differences that are listed of each kind; more are counted.
inline constexpr std::size_t max_listed_differences = 500;
/// Longer arrays (a record's values) are told by their length.
inline constexpr std::size_t max_shown_elements = 50;

/// A member that not all searches have alike; one value per search, null where it is absent.
struct MemberDifference {
  std::string pointer;
  std::vector<nlohmann::ordered_json> values;
};

/// How the curve of one configuration and test differs, per search.
struct CurveDifference {
  std::string configuration;  ///< JSON
  std::string test;
  std::vector<bool> present;
  std::vector<std::optional<double>> bend_s;
  std::vector<std::optional<double>> cliff_s;
};

template <class Difference>
struct Differences {
  std::vector<Difference> listed;
  std::size_t more = 0;  ///< that are not listed
};

struct Comparison {
  std::vector<db::SearchSummary> searches;
  Differences<MemberDifference> job;
  Differences<MemberDifference> recommendation;
  Differences<MemberDifference> cost;      ///< without the time
  Differences<CurveDifference> curves;     ///< that all have, with other bends or cliffs
  Differences<CurveDifference> only_some;  ///< that not all have
  std::vector<std::optional<double>> wall_s;

  /// Whether nothing differs but times.
  bool identical() const;
};

/// Takes the searches one after the other, so that the curves of one are held at a time.
class Comparing {
 public:
  explicit Comparing(std::size_t searches) : count_(searches) {}

  /// The next one; its trials are not used.
  void add(const SearchRows& search);
  Comparison result() const;

 private:
  struct Ends {
    bool present = false;
    std::optional<double> bend_s;
    std::optional<double> cliff_s;

    bool operator==(const Ends&) const = default;
  };

  std::size_t count_;
  std::vector<db::SearchSummary> searches_;
  std::vector<nlohmann::ordered_json> jobs_, recommendations_, costs_;
  std::vector<std::optional<double>> wall_s_;
  std::map<std::pair<std::string, std::string>, std::vector<Ends>> curves_;
};

}  // namespace macrostep::server
