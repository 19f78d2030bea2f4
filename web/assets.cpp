#include "web/assets.hpp"

#include <algorithm>

namespace macrostep::web {

const Asset* find_asset(std::string_view path) {
  const std::span<const Asset> table = assets();
  const auto found = std::ranges::lower_bound(table, path, {}, &Asset::path);
  return found != table.end() && found->path == path ? &*found : nullptr;
}

}  // namespace macrostep::web
