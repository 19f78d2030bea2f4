// What a service manager wants to hear (the protocol of systemd's sd_notify).
#pragma once

#include <string_view>

namespace macrostep::server {

/// "READY=1", "STOPPING=1": to the socket that $NOTIFY_SOCKET names, a path, or an abstract name
/// after @. False if there is none, or nobody takes it, which is no reason to end.
bool notify_service_manager(std::string_view state);

}  // namespace macrostep::server
