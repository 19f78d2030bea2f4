// How long the journey waits before it calls something missing: far longer than it takes, as a loaded
// machine may be many times slower. Nothing here says how fast the page has to be (see speed.mjs).
/** The page or the server answers, without computing much. */
export const answer_limit_ms = 60_000;
/** A search or an analysis ends, a trial is computed and drawn. */
export const compute_limit_ms = 300_000;
