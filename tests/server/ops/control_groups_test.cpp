// Groups of a tree that a test makes: files of the names that the kernel's have. How real ones hold
// processes can only be tried where a service manager delegates one.
#include "server/ops/control_groups.hpp"

#include <doctest/doctest.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "server/process/private_directory.hpp"

using namespace macrostep::server;

namespace {

namespace fs = std::filesystem;

class Tree {
 public:
  Tree() {
    fs::create_directories(unit() / "program");
    write(own(), "12:pids:/elsewhere\n0::/system.slice/macrostep.service\n");
    write(unit() / "cgroup.controllers", "cpu memory pids\n");
    write(unit() / "cgroup.subtree_control", "");
    write(unit() / "program" / "cgroup.procs", "");
  }

  /// False where the file system has no such attributes.
  bool delegate(const char* value = "1") const {
    return ::setxattr(unit().c_str(), "user.delegate", value, 1, 0) == 0;
  }

  fs::path root() const { return folder_.path(); }
  fs::path own() const { return root() / "own"; }
  fs::path unit() const { return root() / "system.slice" / "macrostep.service"; }
  auto take_over() const { return ControlGroups::take_over(root(), own()); }

  static void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  static std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  PrivateDirectory folder_;
};

std::string why_none(const Tree& tree) {
  const auto taken = tree.take_over();
  const auto* why = std::get_if<std::string>(&taken);
  return why == nullptr ? "" : *why;
}

}  // namespace

TEST_CASE("a group that was not delegated is left alone") {
  const Tree tree;
  CHECK(why_none(tree).find("not delegated") != std::string::npos);
  if (tree.delegate("0")) {
    CHECK(why_none(tree).find("not delegated") != std::string::npos);
  }
  Tree::write(tree.own(), "0::/../outside\n");
  CHECK(why_none(tree).find("not delegated") != std::string::npos);
  Tree::write(tree.own(), "12:pids:/version_1\n");
  CHECK(why_none(tree) == "this system has no control groups of version 2");
  fs::remove(tree.own());
  CHECK(why_none(tree) == "this system has no control groups of version 2");
  CHECK(Tree::read(tree.unit() / "program" / "cgroup.procs").empty());
  CHECK(Tree::read(tree.unit() / "cgroup.subtree_control").empty());
}

TEST_CASE("a delegated group is divided: the program in one, workers with limits beside it") {
  const Tree tree;
  if (!tree.delegate()) {
    MESSAGE("skipped: division of a group: no attributes on this file system");
    return;
  }
  auto taken = tree.take_over();
  REQUIRE(std::holds_alternative<ControlGroups>(taken));
  CHECK(Tree::read(tree.unit() / "program" / "cgroup.procs") == std::to_string(::getpid()));
  CHECK(Tree::read(tree.unit() / "cgroup.subtree_control") == "+memory +pids");
  const auto& groups = std::get<ControlGroups>(taken);
  const auto worker = groups.make({.memory_bytes = 2'000'000'000, .tasks = 258});
  CHECK(Tree::read(tree.unit() / "worker-1" / "memory.max") == "2000000000");
  CHECK(Tree::read(tree.unit() / "worker-1" / "pids.max") == "258");
  worker->add(4711);
  CHECK(Tree::read(tree.unit() / "worker-1" / "cgroup.procs") == "4711");
  CHECK(Tree::read(tree.unit() / "worker-1" / "memory.swap.max") == "0");
  fs::create_directories(tree.unit() / "worker-2");  // in use by what an earlier program has left
  const auto next = groups.make({.memory_bytes = 1, .tasks = 1});
  CHECK(fs::is_empty(tree.unit() / "worker-2"));
  CHECK(Tree::read(tree.unit() / "worker-3" / "pids.max") == "1");
}

TEST_CASE("groups without the controllers, or that cannot be divided, say so") {
  const Tree tree;
  if (!tree.delegate()) {
    MESSAGE("skipped: controllers of a group: no attributes on this file system");
    return;
  }
  Tree::write(tree.unit() / "cgroup.controllers", "cpu memory\n");
  CHECK(why_none(tree) == "the control group of this program has no controller 'pids'");
  Tree::write(tree.unit() / "cgroup.controllers", "cpu pids memory_numa\n");
  CHECK(why_none(tree) == "the control group of this program has no controller 'memory'");
  Tree::write(tree.unit() / "cgroup.controllers", "memory pids\n");
  fs::remove(tree.unit() / "cgroup.subtree_control");
  fs::create_directory(tree.unit() / "cgroup.subtree_control");
  CHECK(why_none(tree).find("cannot be divided") != std::string::npos);
}

TEST_CASE("groups that an earlier program has left empty are removed") {
  const Tree tree;
  if (!tree.delegate()) {
    MESSAGE("skipped: groups of an earlier program: no attributes on this file system");
    return;
  }
  fs::create_directories(tree.unit() / "worker-77");
  REQUIRE(std::holds_alternative<ControlGroups>(tree.take_over()));
  CHECK_FALSE(fs::exists(tree.unit() / "worker-77"));
}
