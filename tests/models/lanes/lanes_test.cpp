// What the files compiled for AVX2 and AVX-512 leave to the linker. That lanes have the bits of
// trials alone is shown where trials run (tests/engine/ensemble/trial_backend_test.cpp).
#include <doctest/doctest.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#if defined(__x86_64__) && !defined(MACROSTEP_SANITIZED)

namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  char buffer[4096];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe.get())) {
    output += buffer;
  }
  return output;
}

}  // namespace

TEST_CASE("files compiled for AVX2 or AVX-512 share nothing that runs without it") {
  // A weak symbol may be taken from any file that has it: one of these, of the standard library or
  // of a model, would then be run by processors that cannot. Only what is of lanes is theirs.
  int lines_read = 0, members = 0;
  for (const std::string library : {MACROSTEP_MODELS_LIBRARY, MACROSTEP_ENGINE_LIBRARY}) {
    std::istringstream lines(output_of("nm -C --defined-only '" + library + "' 2>/dev/null"));
    std::string level;  // of the file
    for (std::string line; std::getline(lines, line); ++lines_read) {
      if (line.ends_with(":")) {
        level = line.find("_avx2.cpp") != std::string::npos     ? "avx2"
                : line.find("_avx512.cpp") != std::string::npos ? "avx512"
                                                                : "";
        members += !level.empty();
      } else if (!level.empty() && line.size() > 19 &&
                 std::string("WVwvu").find(line[17]) != std::string::npos) {
        CAPTURE(line);
        CHECK((line.find("macrostep::models::" + level + "::") != std::string::npos ||
               line.ends_with(" V DW.ref.__gxx_personality_v0")));  // an address
      }
    }
  }
  if (lines_read == 0) {
    std::printf("skipped: files compiled for AVX2 or AVX-512 share nothing: nm is not there\n");
    return;
  }
  CHECK(members >= 6);
}

#endif
