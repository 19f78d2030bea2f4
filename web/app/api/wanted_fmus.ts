// The FMUs that a form names, fetched once each, and those it may choose from.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { message_of } from "./api";
import { type Fmu, type FmuRow, fetch_fmu, fetch_fmus } from "./fmu_api";

const most_offered = 1000; // the server's largest page

export function use_fmus(wanted: string[]) {
  const [fmus, set_fmus] = useState<ReadonlyMap<string, Fmu>>(new Map());
  const [missing, set_missing] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());

  const know = useCallback((fmu: Fmu) => {
    asked.current.add(fmu.sha256);
    set_fmus((old) => new Map(old).set(fmu.sha256, fmu));
  }, []);

  useEffect(() => {
    for (const sha256 of wanted) {
      if (asked.current.has(sha256)) continue;
      asked.current.add(sha256);
      fetch_fmu(sha256).then(know, (failure) => {
        set_missing((old) => new Map(old).set(sha256, message_of(failure)));
      });
    }
  }, [wanted.join()]);

  return { fmus, missing, know };
}

/** The rows to choose from; null until they are known. */
export function use_offered() {
  const [rows, set_rows] = useState<FmuRow[] | null>(null);
  const [error, set_error] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      set_rows((await fetch_fmus(null, most_offered)).fmus);
      set_error(null);
    } catch (failure) {
      set_error(message_of(failure));
    }
  }, []);
  useEffect(() => {
    reload();
  }, [reload]);
  return { rows, error, reload };
}
