#include "models/fmi/instance/permit_loading.hpp"

#include <atomic>

namespace macrostep::models::fmi {

namespace {
std::atomic<bool> permitted = false;
}  // namespace

void permit_loading() {
  permitted = true;
}

bool loading_permitted() {
  return permitted;
}

}  // namespace macrostep::models::fmi
