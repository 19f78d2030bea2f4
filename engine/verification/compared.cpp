#include "engine/verification/compared.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace macrostep::engine {

void Worst::add(Compared one, std::size_t at) {
  std::erase_if(still, [&](std::size_t output) {
    return one.value && !std::ranges::binary_search(one.still, output);
  });
  if (compared.findings.empty() || one.badness() > compared.badness()) {
    compared = std::move(one);
    place = at;
  }
}

std::vector<const TestInput*> addresses(const std::vector<TestInput>& tests) {
  std::vector<const TestInput*> list;
  for (const auto& test : tests) {
    list.push_back(&test);
  }
  return list;
}

std::vector<std::size_t> all_of(const InputsByShare& by_share) {
  std::vector<std::size_t> places(by_share.front().size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

std::vector<const TestInput*> chosen(const std::vector<TestInput>& share,
                                     const std::vector<std::size_t>& places) {
  std::vector<const TestInput*> list;
  for (const std::size_t place : places) {
    list.push_back(&share[place]);
  }
  return list;
}

}  // namespace macrostep::engine
