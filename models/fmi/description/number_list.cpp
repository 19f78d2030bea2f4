#include "models/fmi/description/number_list.hpp"

#include <algorithm>

namespace macrostep::models::fmi {

NumberList number_list(const ModelDescription& description,
                       std::span<const std::size_t> variables) {
  NumberList list{.count = variables.size()};
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto& variable = description.variables[variables[i]];
    auto group = std::ranges::find(list.groups, variable.type, &NumberGroup::type);
    if (group == list.groups.end()) {
      group = list.groups.insert(group, NumberGroup{.type = variable.type});
    }
    group->references.push_back(variable.reference);
    group->positions.push_back(i);
  }
  for (auto& group : list.groups) {
    group.buffer.resize(group.references.size() * sizeof(std::uint64_t));
    list.plain = list.plain && group.type == VariableType::float64;
  }
  return list;
}

}  // namespace macrostep::models::fmi
