#include "engine/fmu_export/library/native_library.hpp"

#ifndef MACROSTEP_FMU_LIBRARY
#define MACROSTEP_FMU_LIBRARY "/dev/null"  // for compilers that only look at the syntax
#endif

// The file that the build has linked, as read-only data of the program.
asm(R"(
  .pushsection .rodata
  .balign 16
  .local macrostep_fmu_begin
  .local macrostep_fmu_end
macrostep_fmu_begin:
  .incbin ")" MACROSTEP_FMU_LIBRARY R"("
macrostep_fmu_end:
  .popsection
)");

extern "C" {
[[gnu::visibility("hidden")]] extern const std::byte macrostep_fmu_begin;
[[gnu::visibility("hidden")]] extern const std::byte macrostep_fmu_end;
}

namespace macrostep::engine {

std::span<const std::byte> native_library() {
  return {&macrostep_fmu_begin, &macrostep_fmu_end};
}

}  // namespace macrostep::engine
