// Which test inputs drive the external inputs of one's own problem, and their numbers.
import { type Errors, Field, FieldErrors } from "../forms/form_fields";
import { NumberInput } from "../forms/number_input";
import { test_title } from "../text/names";
import { offered_tests, type TestKind, type TestsState, test_fields } from "./own_tests";

export function Tests(props: {
  tests: TestsState;
  has_externals: boolean;
  errors: Errors;
  on_change: (tests: TestsState) => void;
}) {
  const { tests, has_externals, errors } = props;
  const change = (kind: TestKind, part: Record<string, string>) =>
    props.on_change({ ...tests, [kind]: { ...tests[kind], ...part } });
  return (
    <fieldset id="field-tests" class={errors.has("tests") ? "wrong" : ""}>
      <legend>Test inputs</legend>
      {!has_externals && (
        <p class="muted">
          No input is driven by the tests: the problem runs from its start values alone.
        </p>
      )}
      <div class="tests">
        {offered_tests(has_externals).map((kind) => {
          const is_on = !has_externals || tests[kind].on !== "";
          return (
            <div key={kind} class="test" role="group" aria-label={`Test ${test_title(kind)}`}>
              {has_externals && (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={is_on}
                    onChange={(event) =>
                      change(kind, { on: event.currentTarget.checked ? "yes" : "" })
                    }
                  />
                  <span>{test_title(kind)}</span>
                </label>
              )}
              {is_on &&
                test_fields[kind].map((field) => {
                  const id = `test:${kind}:${field.name}`;
                  return (
                    <Field key={id} id={id} label={field.label} errors={errors}>
                      <NumberInput
                        id={id}
                        unit={field.unit}
                        value={tests[kind][field.name] ?? ""}
                        placeholder={field.placeholder ?? ""}
                        wrong={errors.has(id)}
                        on_input={(text) => change(kind, { [field.name]: text })}
                      />
                    </Field>
                  );
                })}
            </div>
          );
        })}
      </div>
      <FieldErrors id="tests" errors={errors} />
    </fieldset>
  );
}
