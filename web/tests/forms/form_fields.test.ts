// What the forms share: their fields as they stand in the page.
import type { ComponentChild, VNode } from "preact";
import { describe, expect, it, vi } from "vitest";
import { NameField } from "../../app/forms/form_fields";
import { longest_name } from "../../app/text/names";

// biome-ignore lint/suspicious/noExplicitAny: the properties of any element
type Element = VNode<any>;

describe("the name of a job", () => {
  it("is as long as the server takes it, and told as it is typed", () => {
    const on_input = vi.fn();
    const field: Element = NameField({
      value: "mine",
      placeholder: "Crane",
      errors: new Map(),
      on_input,
    });
    const input = field.props.children as ComponentChild as Element;
    expect(field.props.id).toBe(input.props.id); // mistakes of /name are shown beside it
    expect(input.props).toMatchObject({ value: "mine", placeholder: "Crane" });
    expect(input.props.maxLength).toBe(longest_name);
    input.props.onInput({ currentTarget: { value: "yours" } });
    expect(on_input).toHaveBeenCalledWith("yours");
  });
});
