// The trials and curves of a search as tables for spreadsheets and scripts (RFC 4180).
#pragma once

#include <string>

#include "server/store/search_rows.hpp"

namespace macrostep::server {

/// A header line, then a line per trial in the order of their ids. Columns are those of the view
/// v_trials and the curve's marks; numbers read back as the same doubles; unknown is empty.
std::string trials_csv(const SearchRows& search);

/// A header line, then a line per point of every curve in ascending H: columns as those of the view
/// v_residual_curves, and what else tells one configuration from another.
std::string curves_csv(const SearchRows& search);

/// One cell: quoted where it must be, and never a formula.
std::string csv_cell(const std::string& text);

}  // namespace macrostep::server
