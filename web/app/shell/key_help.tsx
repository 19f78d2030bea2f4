// The button that shows the sheet of keys, and the keys that work on every page.
import { useState } from "preact/hooks";
import { use_keys } from "../parts/keys";
import { later } from "../parts/later";
import { navigate } from "../parts/route";

const KeySheet = later(() => import("./key_sheet").then((sheet) => sheet.KeySheet));

export function KeyHelp() {
  const [open, set_open] = useState(false);
  use_keys("On every page", [
    { keys: "?", text: "This sheet", run: () => set_open(true) },
    { keys: "g s", text: "Go to the searches", run: () => navigate("/") },
    { keys: "g n", text: "Go to a new search", run: () => navigate("/?new=") },
    { keys: "g a", text: "Go to the analyses", run: () => navigate("/?analyses=") },
    { keys: "g m", text: "Go to a new analysis", run: () => navigate("/?analyse=") },
    { keys: "g f", text: "Go to the FMUs", run: () => navigate("/?fmus=") },
    { keys: "g o", text: "Go to a new search of FMUs and matrices", run: () => navigate("/?own=") },
  ]);
  return (
    <>
      <button
        type="button"
        class="small key-help"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => set_open(true)}
      >
        ?
      </button>
      {open && <KeySheet on_close={() => set_open(false)} />}
    </>
  );
}
