// Memory that a worker writes and its starter reads: a WorkerPage without a name, gone with both.
#pragma once

#include "server/base/descriptor.hpp"
#include "server/workers/worker_protocol.hpp"

namespace macrostep::server {

class SharedPage {
 public:
  /// Throws std::system_error.
  SharedPage();
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;

  WorkerPage* operator->() const { return page_; }
  int descriptor() const { return file_.get(); }
  /// The worker has its own by now.
  void close_descriptor() { file_.close(); }

 private:
  Descriptor file_;
  WorkerPage* page_ = nullptr;
};

}  // namespace macrostep::server
