// Whether this process may load code of FMUs.
//
// FMUs crash, hang and write where they like, so a process must say of itself that it is made for
// them: a worker process is, a server never. Loading elsewhere is a mistake of ours and ends the
// process.
#pragma once

namespace macrostep::models::fmi {

/// From here on, for the rest of this process.
void permit_loading();

bool loading_permitted();

}  // namespace macrostep::models::fmi
