// Power bonds: proposed from units and directions, confirmed by the user.
import { useState } from "preact/hooks";
import { type Errors, FieldErrors } from "../forms/form_fields";
import { NumberInput } from "../forms/number_input";
import { field_id } from "./own_job";
import { bonds_of, type Fmus, type OwnBond } from "./own_ports";
import type { OwnState } from "./own_state";

interface Props {
  state: OwnState;
  fmus: Fmus;
  errors: Errors;
  change: (part: Partial<OwnState>) => void;
}

export function Bonds(props: Props) {
  const { state, fmus, errors, change } = props;
  const all = bonds_of(state, fmus);
  const is_confirmed = (bond: OwnBond) => state.bonds[bond.key] !== undefined;
  const listed = all.filter((bond) => bond.kind !== "possible" || is_confirmed(bond));
  const others = all.filter((bond) => !listed.includes(bond));
  const name = (id: string, port: string) =>
    `${state.subsystems.find((one) => one.id === id)?.name ?? ""}.${port}`;
  const title = (bond: OwnBond) =>
    `${name(bond.effort.subsystem, bond.effort.port)} × ${name(bond.flow.subsystem, bond.flow.port)}`;

  function confirm(bond: OwnBond, on: boolean) {
    const bonds = { ...state.bonds };
    delete bonds[bond.key];
    if (on) bonds[bond.key] = first_factor(bond);
    change({ bonds });
  }

  return (
    <section aria-labelledby="bonds-title" id="field-bonds">
      <h2 id="bonds-title">Power bonds</h2>
      <FieldErrors id="bonds" errors={errors} />
      <p class="muted prose">
        An effort and a flow, connected in opposite directions, whose product is a power: the search
        watches the energy that the coupling makes up there. Confirm those that are one.
      </p>
      {all.length === 0 && (
        <p class="flag">
          None is possible yet: two subsystems must each feed an input of the other.
        </p>
      )}
      {all.length > 0 && (
        <div class="card choices">
          {listed.length > 0 && (
            <ul class="bonds">
              {listed.map((bond) => (
                <li key={bond.key} id={`field-${field_id("bond", bond.key)}`}>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={is_confirmed(bond)}
                      onChange={(event) => confirm(bond, event.currentTarget.checked)}
                    />
                    <span>
                      <code>{title(bond)}</code> <small class="muted">{kind_text(bond)}</small>
                    </span>
                  </label>
                  {is_confirmed(bond) && <Factor {...props} bond={bond} title={title(bond)} />}
                  <FieldErrors id={field_id("bond", bond.key)} errors={errors} />
                </li>
              ))}
            </ul>
          )}
          {others.length > 0 && (
            <Other
              bonds={others.map((bond) => ({ key: bond.key, title: title(bond) }))}
              on_add={(key) => {
                const bond = others.find((one) => one.key === key);
                if (bond) confirm(bond, true);
              }}
            />
          )}
        </div>
      )}
    </section>
  );
}

/** That makes watts of the product, where units say it; empty: 1. */
function first_factor(bond: OwnBond): string {
  return bond.factor === null || bond.factor === 1 ? "" : String(bond.factor);
}

function kind_text(bond: OwnBond): string {
  if (bond.kind === "proposed") return "proposed from units and directions";
  if (bond.kind === "likely") return "one of several that units allow, chosen by its names: look";
  return bond.factor === null ? "its units do not make watts: give a factor" : "your choice";
}

function Factor({ state, errors, change, bond, title }: Props & { bond: OwnBond; title: string }) {
  const id = field_id("bond", bond.key);
  return (
    <span class="field inline">
      <label for={id}>Factor to watts, sign included</label>
      <NumberInput
        id={id}
        unit=""
        value={state.bonds[bond.key] ?? ""}
        placeholder="1"
        label={`Factor to watts of ${title}`}
        wrong={errors.has(id)}
        on_input={(text) => change({ bonds: { ...state.bonds, [bond.key]: text } })}
      />
    </span>
  );
}

function Other(props: { bonds: { key: string; title: string }[]; on_add: (key: string) => void }) {
  const [chosen, set_chosen] = useState("");
  const key = props.bonds.some((one) => one.key === chosen) ? chosen : (props.bonds[0]?.key ?? "");
  return (
    <div class="field inline">
      <label for="other-bond">Another pair</label>
      <select
        id="other-bond"
        value={key}
        onChange={(event) => set_chosen(event.currentTarget.value)}
      >
        {props.bonds.map((one) => (
          <option key={one.key} value={one.key}>
            {one.title}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => props.on_add(key)}>
        Add
      </button>
    </div>
  );
}
