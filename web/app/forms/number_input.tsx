// The input of a number with its unit, in all forms.

export function NumberInput(props: {
  id: string;
  unit: string;
  value: string;
  placeholder?: string;
  wrong: boolean;
  hint?: string; // id of an explanation
  label?: string; // where no label element is beside it
  text?: boolean; // any text after all
  on_input: (text: string) => void;
}) {
  const described = [props.wrong ? `error-${props.id}` : "", props.hint ?? ""].filter(Boolean);
  return (
    <span class="with-unit">
      <input
        id={props.id}
        type="text"
        inputMode={props.text ? "text" : "decimal"}
        autocomplete="off"
        value={props.value}
        placeholder={props.placeholder ?? ""}
        aria-invalid={props.wrong}
        {...(props.label ? { "aria-label": props.label } : {})}
        {...(described.length > 0 ? { "aria-describedby": described.join(" ") } : {})}
        onInput={(event) => props.on_input(event.currentTarget.value)}
      />
      {props.unit !== "" && <span class="unit">{props.unit}</span>}
    </span>
  );
}
