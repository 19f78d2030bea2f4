#include <doctest/doctest.h>

#include <Eigen/Core>

TEST_CASE("sums of matrix products are ordered by no cache of this machine") {
  // In blocks of the size of its caches Eigen sums in an order of its own on every machine.
  CHECK(Eigen::l1CacheSize() == Eigen::internal::defaultL1CacheSize);
  CHECK(Eigen::l2CacheSize() == Eigen::internal::defaultL2CacheSize);
  CHECK(Eigen::l3CacheSize() == Eigen::internal::defaultL3CacheSize);
}
