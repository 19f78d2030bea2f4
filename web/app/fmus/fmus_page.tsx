// All FMUs of the server, newest first.
import { useCallback, useEffect, useState } from "preact/hooks";
import { message_of } from "../api/api";
import { type FmuRow, fetch_fmus } from "../api/fmu_api";
import { Age, Link, Message, Pager, use_now, use_title } from "../parts/parts";
import { address } from "../parts/route";
import { bytes } from "../text/format";
import { word } from "../text/names";
import { DeleteFmu } from "./delete_fmu";
import { FmuUpload } from "./fmu_upload";

export function FmusPage({ after }: { after: string | null }) {
  use_title("FMUs");
  const now = use_now(10_000);
  const [fmus, set_fmus] = useState<FmuRow[] | null>(null);
  const [next, set_next] = useState<string | null>(null);
  const [error, set_error] = useState<string | null>(null);

  const load = useCallback(async () => {
    try {
      const answer = await fetch_fmus(after);
      set_fmus(answer.fmus);
      set_next(answer.next);
      set_error(null);
    } catch (failure) {
      set_error(message_of(failure));
    }
  }, [after]);
  useEffect(() => {
    load();
  }, [load]);

  function refused(reason: string) {
    set_error(reason);
    window.scrollTo(0, 0); // to the reason
  }

  return (
    <>
      <div class="page-head">
        <h1>FMUs</h1>
        {fmus && fmus.length > 0 && (
          <Link to="/?own=" class="button primary">
            New search with FMUs
          </Link>
        )}
      </div>
      {error && <Message kind="error">{error}</Message>}
      <div class="card">
        <FmuUpload on_stored={load} />
      </div>
      {fmus === null && !error && <p class="muted">Loading …</p>}
      {fmus?.length === 0 && (
        <div class="card empty">
          <h2>No FMUs yet</h2>
          <p>
            An FMU is a model that another tool has exported, for co-simulation or model exchange.
            Two or more of them, connected, make a problem of your own. They run in processes of
            their own, never in the server.
          </p>
        </div>
      )}
      {fmus && fmus.length > 0 && (
        <table class="list fmus">
          <thead>
            <tr>
              <th scope="col">FMU</th>
              <th scope="col">FMI</th>
              <th scope="col">Interfaces</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col" class="number">
                Uploaded
              </th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {fmus.map((one) => (
              <Row key={one.sha256} fmu={one} now={now} on_deleted={load} on_refused={refused} />
            ))}
          </tbody>
        </table>
      )}
      <Pager first={after && "/?fmus="} next={next && address({ fmus: "", after: next })} />
    </>
  );
}

function Row(props: {
  fmu: FmuRow;
  now: number;
  on_deleted: () => void;
  on_refused: (reason: string) => void;
}) {
  const { fmu } = props;
  return (
    <tr>
      <th scope="row" data-label="FMU">
        <Link to={address({ fmu: fmu.sha256 })}>{fmu.file_name || fmu.model_name}</Link>
        <span class="muted block">model {fmu.model_name}</span>
      </th>
      <td data-label="FMI">{fmu.fmi_version}</td>
      <td data-label="Interfaces">{fmu.interfaces.map(word).join(", ")}</td>
      <td class="number" data-label="Size">
        {bytes(fmu.size_bytes)}
      </td>
      <td class="number" data-label="Uploaded">
        <Age time={fmu.uploaded_at} now={props.now} />
      </td>
      <td data-label="">
        <DeleteFmu fmu={fmu} on_deleted={props.on_deleted} on_refused={props.on_refused} />
      </td>
    </tr>
  );
}
