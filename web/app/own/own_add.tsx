// One more subsystem for the form: of an FMU that the server has, or of one that is uploaded here.
import { useState } from "preact/hooks";
import { message_of } from "../api/api";
import { type Fmu, fetch_fmu } from "../api/fmu_api";
import { use_offered } from "../api/wanted_fmus";
import { FmuUpload } from "../fmus/fmu_upload";
import { Message } from "../parts/parts";

export function AddSubsystem(props: {
  on_add: (fmu: Fmu) => void;
  on_linear: () => void;
  is_first: boolean;
}) {
  const { rows, error, reload } = use_offered();
  const [chosen, set_chosen] = useState("");
  const [failure, set_failure] = useState<string | null>(null);
  const [said, set_said] = useState("");
  const sha256 = rows?.some((one) => one.sha256 === chosen) ? chosen : (rows?.[0]?.sha256 ?? "");

  async function add() {
    try {
      const fmu = await fetch_fmu(sha256);
      props.on_add(fmu);
      set_said(`${fmu.file_name || fmu.model_name} is added`);
      set_failure(null);
    } catch (problem) {
      set_failure(message_of(problem));
    }
  }

  return (
    <div class="card choices">
      {(error ?? failure) && <Message kind="error">{error ?? failure}</Message>}
      {rows && rows.length > 0 && (
        <div class="field inline">
          <label for="add-fmu">FMU</label>
          <select
            id="add-fmu"
            value={sha256}
            onChange={(event) => set_chosen(event.currentTarget.value)}
          >
            {rows.map((one) => (
              <option key={one.sha256} value={one.sha256}>
                {one.file_name || one.model_name} (FMI {one.fmi_version})
              </option>
            ))}
          </select>
          <button type="button" class={props.is_first ? "primary" : ""} onClick={add}>
            Add as subsystem
          </button>
          <span class="unseen" role="status">
            {said}
          </span>
        </div>
      )}
      <div class="field inline">
        <span>Linear subsystem</span>
        <button
          type="button"
          onClick={() => {
            props.on_linear();
            set_said("A linear subsystem is added");
          }}
        >
          Add one given by matrices
        </button>
      </div>
      {rows?.length === 0 && <p>There are no FMUs on this server yet. Upload some:</p>}
      <FmuUpload
        on_stored={async (fmu) => {
          await reload();
          set_chosen(fmu.sha256);
        }}
      />
    </div>
  );
}
