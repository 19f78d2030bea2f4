// What the FMUs of a search are, and how the recommended configuration uses them: how inputs reach
// each, and when its events count, are not its reader's to see elsewhere.

import type { Search } from "../../api/types";
import { use_fmus } from "../../api/wanted_fmus";
import { Link } from "../../parts/parts";
import { address } from "../../parts/route";
import { events_words, inputs_words, word } from "../../text/names";

export function FmuRoles({ search }: { search: Search }) {
  const problem = search.job.problem;
  const subsystems = typeof problem === "object" ? problem.subsystems : [];
  const with_fmu = subsystems.filter((one) => one.fmu !== undefined);
  const { fmus } = use_fmus(with_fmu.map((one) => one.fmu ?? ""));
  if (with_fmu.length === 0) return null;
  const answer = search.recommendation;
  const roles = answer?.fmus ?? {};
  return (
    <section aria-labelledby="roles-title">
      <h2 id="roles-title">
        {answer ? "FMUs in the recommended configuration" : "FMUs of this search"}
      </h2>
      <table class="list roles">
        <thead>
          <tr>
            <th scope="col">Subsystem</th>
            {answer && (
              <>
                <th scope="col">Runs by</th>
                <th scope="col">Inputs reach it</th>
                <th scope="col">Events count</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {with_fmu.map(({ name, fmu = "" }) => {
            const role = roles[name];
            const known = fmus.get(fmu);
            return (
              <tr key={name}>
                <th scope="row" data-label="Subsystem">
                  <span>
                    {name}
                    <span class="muted block">
                      <Link to={address({ fmu })}>
                        {known ? known.file_name || known.model_name : fmu.slice(0, 12)}
                      </Link>
                      {parameters_text(subsystems.find((one) => one.name === name)?.parameters)}
                    </span>
                  </span>
                </th>
                {answer && (
                  <>
                    <td data-label="Runs by">
                      <span>
                        {word(answer.integrators[name] ?? "–")}
                        {role && <span class="muted block">{word(role.interface)}</span>}
                      </span>
                    </td>
                    <td data-label="Inputs">
                      <span>{role ? (inputs_words[role.inputs] ?? word(role.inputs)) : "–"}</span>
                    </td>
                    <td data-label="Events">
                      <span>{role ? (events_words[role.events] ?? word(role.events)) : "–"}</span>
                    </td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** ", m = 400, k = 1e5" */
function parameters_text(parameters: Record<string, unknown> | undefined): string {
  return Object.entries(parameters ?? {})
    .map(([name, value]) => `, ${name} = ${String(value)}`)
    .join("");
}
