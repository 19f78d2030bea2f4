// The two ways to a new search.
import { Link } from "../parts/parts";

export function Ways({ current }: { current: "built-in" | "own" }) {
  return (
    <nav class="ways" aria-label="What to search">
      <Link to="/?new=" current={current === "built-in"}>
        Built-in problem
      </Link>
      <Link to="/?own=" current={current === "own"}>
        Made of your FMUs and matrices
      </Link>
    </nav>
  );
}
