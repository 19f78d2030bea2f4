#include "server/workers/shared_page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace macrostep::server {

SharedPage::SharedPage()
    : file_(raised(owned(::memfd_create("macrostep-worker", MFD_CLOEXEC | MFD_ALLOW_SEALING),
                         "memfd_create"))) {
  // A worker that could shorten it would end the reader.
  if (::ftruncate(file_.get(), sizeof(WorkerPage)) != 0 ||
      ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    throw_errno("memory for a worker");
  }
  void* const memory =
      ::mmap(nullptr, sizeof(WorkerPage), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) {
    throw_errno("mapping memory for a worker");
  }
  page_ = new (memory) WorkerPage{};
}

SharedPage::~SharedPage() {
  ::munmap(page_, sizeof(WorkerPage));
}

}  // namespace macrostep::server
