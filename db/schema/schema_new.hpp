// The schema of a new file, today's version at once: an older file becomes the same by the chain of
// upgrades (schema.hpp). A test holds both against each other.
#pragma once

#include <string>

#include "db/schema/schema_analyses.hpp"
#include "db/schema/schema_searches.hpp"
#include "db/schema/schema_views.hpp"

namespace macrostep::db {

inline std::string new_schema() {
  std::string schema;
  for (const char* part :
       {searches_schema, documents_schema, curves_schema, trials_schema, traces_schema,
        recommendations_schema, keys_schema, recommendations_view, notices_view, analyses_schema,
        fmus_schema, lists_schema, counts_schema, step_times_schema, trials_rules, trials_views}) {
    schema += part;
  }
  return schema;
}

}  // namespace macrostep::db
