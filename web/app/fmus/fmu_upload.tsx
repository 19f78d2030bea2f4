// FMUs from the user's disk to the server, one after the other: dropped or chosen, with progress,
// and with the server's reason where one is refused.
import { useEffect, useRef, useState } from "preact/hooks";
import { message_of } from "../api/api";
import { type Fmu, type Upload, upload_fmu } from "../api/fmu_api";
import { Link } from "../parts/parts";
import { address } from "../parts/route";
import { bytes, percent, readable_numbers } from "../text/format";

interface Sending {
  key: number;
  file: File;
  state: "waiting" | "sending" | "stored" | "refused";
  share: number;
  reason: string;
  fmu: Fmu | null;
}

export function FmuUpload({ on_stored }: { on_stored: (fmu: Fmu) => void }) {
  const [list, set_list] = useState<Sending[]>([]);
  const [over, set_over] = useState(false);
  const current = useRef<Upload | null>(null);
  const keys = useRef(0);
  useEffect(() => () => current.current?.abort(), []);

  const next = list.find((one) => one.state === "waiting");
  const is_sending = list.some((one) => one.state === "sending");
  useEffect(() => {
    if (next && !is_sending) send(next);
  }, [next, is_sending]);

  const change = (key: number, part: Partial<Sending>) =>
    set_list((old) => old.map((one) => (one.key === key ? { ...one, ...part } : one)));

  function add(files: FileList | null | undefined) {
    const added = Array.from(files ?? []).map(
      (file): Sending => ({
        key: ++keys.current,
        file,
        state: "waiting",
        share: 0,
        reason: "",
        fmu: null,
      }),
    );
    // What is stored has its row in the list of FMUs; reasons stay until the next files come.
    set_list((old) => [
      ...old.filter((one) => one.state === "sending" || one.state === "waiting"),
      ...added,
    ]);
  }

  async function send({ key, file }: Sending) {
    change(key, { state: "sending" });
    const upload = upload_fmu(file, (share) => change(key, { share }));
    current.current = upload;
    try {
      const fmu = await upload.done;
      change(key, { state: "stored", fmu });
      on_stored(fmu);
    } catch (failure) {
      change(key, { state: "refused", reason: readable_numbers(message_of(failure)) });
    } finally {
      current.current = null;
    }
  }

  function on_drop(event: DragEvent) {
    event.preventDefault();
    set_over(false);
    add(event.dataTransfer?.files);
  }

  function cancel(one: Sending) {
    if (one.state === "sending") current.current?.abort();
    else set_list((old) => old.filter((other) => other.key !== one.key));
  }

  return (
    <div
      role="group"
      aria-label="Upload FMUs"
      class={`dropzone${over ? " over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        set_over(true);
      }}
      onDragLeave={() => set_over(false)}
      onDrop={on_drop}
    >
      <p>
        <label class="button">
          <input
            type="file"
            class="file"
            accept=".fmu"
            multiple
            onChange={(event) => {
              add(event.currentTarget.files);
              event.currentTarget.value = ""; // so that the same file can be chosen again
            }}
          />
          Upload FMUs
        </label>{" "}
        <span class="muted">or drop them here: FMI 2.0 or 3.0, for 64-bit Linux</span>
      </p>
      {list.length > 0 && (
        <ul class="uploads" aria-label="Uploads">
          {list.map((one) => (
            <li key={one.key} class={one.state}>
              <UploadLine sending={one} on_cancel={() => cancel(one)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function UploadLine({ sending, on_cancel }: { sending: Sending; on_cancel: () => void }) {
  const { file, state, share, fmu } = sending;
  if (state === "stored" && fmu) {
    return (
      <span role="status">
        <Link to={address({ fmu: fmu.sha256 })}>{file.name}</Link> is stored.
      </span>
    );
  }
  if (state === "refused") {
    return (
      <span role="alert">
        <b>{file.name}</b> {sending.reason}
      </span>
    );
  }
  return (
    <>
      <span>
        {file.name}{" "}
        <span class="muted">
          {bytes(file.size)}
          {state === "waiting"
            ? ", waiting"
            : share < 1
              ? `, ${percent(share)}`
              : ", being checked"}
        </span>
      </span>
      {state === "sending" && (
        <progress
          aria-label={`Upload of ${file.name}`}
          {...(share < 1 ? { max: 1, value: share } : {})}
        />
      )}
      <button
        type="button"
        class="small"
        onClick={on_cancel}
        aria-label={`Cancel upload of ${file.name}`}
      >
        Cancel
      </button>
    </>
  );
}
