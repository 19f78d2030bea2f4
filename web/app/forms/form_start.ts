// What a form begins with: the built-in problems, and the job of the run it is to be filled from.
import { useEffect, useState } from "preact/hooks";
import { fetch_problems, message_of } from "../api/api";
import type { Job, Problem } from "../api/types";

interface FormStart {
  problems: Problem[] | null; // null while something is awaited
  start: Job | null; // of `from`
  error: string | null;
}

/** Its answer counts as long as it is `wanted`: one that comes late belongs to another page. */
export async function when_wanted<T>(
  asked: Promise<T>,
  is_wanted: () => boolean,
  done: (answer: T) => void,
  failed: (reason: string) => void,
): Promise<void> {
  try {
    const answer = await asked;
    if (is_wanted()) done(answer);
  } catch (failure) {
    if (is_wanted()) failed(message_of(failure));
  }
}

/** `job_of`: how the job of that run is fetched. */
export function use_form_start(
  from: string | null,
  job_of: (id: string) => Promise<Job>,
): FormStart {
  const [found, set_found] = useState<(FormStart & { from: string | null }) | null>(null);
  useEffect(() => {
    let wanted = true;
    when_wanted(
      Promise.all([fetch_problems(), from === null ? null : job_of(from)]),
      () => wanted,
      ([problems, start]) => set_found({ from, problems, start, error: null }),
      (error) => set_found({ from, problems: null, start: null, error }),
    );
    return () => {
      wanted = false;
    };
  }, [from]);
  return found?.from === from ? found : { problems: null, start: null, error: null };
}
