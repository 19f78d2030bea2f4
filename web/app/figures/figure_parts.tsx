// What figures share: a frame with a caption, a box that knows its width, and below the drawing its
// numbers as tables and itself as a file.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { SaveFigure } from "./figure_export";

/** The width of an element, as it changes. */
export function use_width(): [RefObject<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, set_width] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => set_width(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

export function Figure(props: {
  id: string;
  title: string;
  detail: ComponentChildren;
  under?: boolean; // of a section with a heading of its own
  children: ComponentChildren;
}) {
  const Title = props.under ? "h3" : "h2";
  return (
    <figure class="plot" aria-labelledby={`caption-${props.id}`}>
      <figcaption id={`caption-${props.id}`}>
        <Title>{props.title}</Title>
        <p class="muted">{props.detail}</p>
      </figcaption>
      {props.children}
    </figure>
  );
}

/** The end of a figure. Its tables are made when they are opened; the caller keeps that in the address. */
export function FigureData(props: {
  title: string; // of the file
  open: boolean;
  on_toggle: (open: boolean) => void;
  children: () => ComponentChildren;
}) {
  return (
    <div class="figure-end">
      <SaveFigure title={props.title} />
      <details
        class="data"
        open={props.open}
        onToggle={(event) => {
          const now = event.currentTarget.open;
          if (now !== props.open) props.on_toggle(now);
        }}
      >
        <summary>Data of this figure</summary>
        {props.open && props.children()}
      </details>
    </div>
  );
}
