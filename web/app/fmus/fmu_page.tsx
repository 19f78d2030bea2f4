// One FMU: what its model description says of it, as far as it matters for coupling it.
import { useEffect, useState } from "preact/hooks";
import { ApiError, message_of } from "../api/api";
import { type Flags, type Fmu, fetch_fmu } from "../api/fmu_api";
import { Age, Link, Message, use_now, use_title } from "../parts/parts";
import { address, navigate } from "../parts/route";
import { as_sentence, bytes, typed } from "../text/format";
import { word } from "../text/names";
import { DeleteFmu } from "./delete_fmu";
import { VariableTable } from "./fmu_variables";

export function FmuPage({ sha256 }: { sha256: string }) {
  const [fmu, set_fmu] = useState<Fmu | null>(null);
  const [error, set_error] = useState<ApiError | null>(null);
  const [refusal, set_refusal] = useState<string | null>(null);
  use_title(fmu ? fmu.file_name || fmu.model_name : "FMU");
  useEffect(() => {
    fetch_fmu(sha256).then(set_fmu, (failure) =>
      set_error(failure instanceof ApiError ? failure : new ApiError(message_of(failure), 0)),
    );
  }, [sha256]);
  if (!fmu) {
    if (!error) return <p class="muted">Loading …</p>;
    return (
      <>
        <div class="page-head">
          <h1>{error.status === 404 ? "FMU not found" : "FMU"}</h1>
        </div>
        <Message kind="error">
          {error.status === 404
            ? `There is no FMU “${sha256}” on this server. It may have been deleted, or the address is incomplete.`
            : error.message}
        </Message>
        <p>
          <Link to="/?fmus=">All FMUs</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <Head fmu={fmu} on_refused={set_refusal} />
      {refusal && <Message kind="error">{refusal}</Message>}
      {fmu.notes.length > 0 && (
        <ul class="message warning" aria-label="Notes">
          {fmu.notes.map((note, n) => (
            <li key={n}>{as_sentence(note)}</li>
          ))}
        </ul>
      )}
      <Facts fmu={fmu} />
      <Variables title="Inputs" noun="input" variables={fmu.inputs} />
      <Variables title="Outputs" noun="output" variables={fmu.outputs} />
      <Variables title="Parameters" noun="parameter" variables={fmu.parameters} />
      <FlagTable fmu={fmu} />
    </>
  );
}

function Head({ fmu, on_refused }: { fmu: Fmu; on_refused: (reason: string) => void }) {
  const now = use_now(10_000);
  return (
    <div class="page-head">
      <div>
        <p class="crumb">
          <Link to="/?fmus=">FMUs</Link> <span aria-hidden="true">/</span>
        </p>
        <h1>{fmu.file_name || fmu.model_name}</h1>
        <p class="muted">
          FMI {fmu.fmi_version} · {bytes(fmu.size_bytes)} · <Age time={fmu.uploaded_at} now={now} />
        </p>
      </div>
      <p class="actions">
        <Link to={address({ own: fmu.sha256 })} class="button primary">
          Use in a new search
        </Link>{" "}
        <DeleteFmu fmu={fmu} on_deleted={() => navigate("/?fmus=")} on_refused={on_refused} />
      </p>
    </div>
  );
}

function Facts({ fmu }: { fmu: Fmu }) {
  const { start_s, stop_s, step_size_s } = fmu.default_experiment;
  const experiment = [
    start_s !== null || stop_s !== null ? `${seconds(start_s)} to ${seconds(stop_s)}` : "",
    step_size_s === null ? "" : `in steps of ${seconds(step_size_s)}`,
  ].filter((part) => part !== "");
  const facts: [string, string][] = [
    ["Model", fmu.model_name],
    ["Description", fmu.description ?? ""],
    ["Made by", fmu.generation_tool ?? ""],
    ["Integrators", fmu.integrators.map(word).join(", ")],
    ["Continuous states", String(fmu.continuous_states)],
    ["Event indicators", String(fmu.event_indicators)],
    ["Its experiment", experiment.join(" ")],
    ["SHA-256", fmu.sha256],
  ];
  return (
    <dl class="card facts">
      {facts
        .filter(([, text]) => text !== "")
        .map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{name === "SHA-256" ? <code>{text}</code> : text}</dd>
          </div>
        ))}
    </dl>
  );
}

function seconds(value: number | null): string {
  return value === null ? "–" : `${typed(value)}\u202fs`;
}

function Variables(props: { title: string; noun: string; variables: Fmu["parameters"] }) {
  const id = `${props.noun}s-title`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.variables.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <VariableTable variables={props.variables} noun={props.noun} />
      )}
    </section>
  );
}

/** The members of both interfaces, a row each. */
function FlagTable({ fmu }: { fmu: Fmu }) {
  const all: [string, Flags | null][] = [
    ["co_simulation", fmu.interfaces.co_simulation],
    ["model_exchange", fmu.interfaces.model_exchange],
  ];
  const offered = all.filter((one): one is [string, Flags] => one[1] !== null);
  const names = [...new Set(offered.flatMap(([, flags]) => Object.keys(flags)))];
  return (
    <section aria-labelledby="flags-title">
      <h2 id="flags-title">Interfaces</h2>
      <table class="list flags">
        <thead>
          <tr>
            <th scope="col">Capability</th>
            {offered.map(([name]) => (
              <th key={name} scope="col">
                {word(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row" data-label="Capability">
                {capability(name)}
              </th>
              {offered.map(([interface_name, flags]) => (
                <td key={interface_name} data-label={word(interface_name)}>
                  <span>{flag_text(name, flags[name])}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function capability(name: string): string {
  const text = name.replace(/_s$/, "").replace(/_/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function flag_text(name: string, value: Flags[string] | undefined): string {
  if (value === undefined) return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number" && name.endsWith("_s")) return seconds(value);
  return value === null ? "none" : String(value);
}
