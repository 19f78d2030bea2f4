"""Judges searches of linear problems: own matrices against the recommended macro-step."""

import math
import os
import sys

from common import arguments, median, numbers_within, say, say_flagged, setting, shown
from linear_problems import draw
from program import has_result, made_folder, search, slim, write_json

HELP = """
KIND      damped       two masses by the recipe of README.md here, coupled by force and
                       displacement (either unit owns the spring), or hung on each other (force
                       and velocity)
          undamped     the same without any damping: growth by a tenth in a session is allowed
          integrators  free pairs, rotors, springs that integrate a velocity, PI and PID
                       controllers, tanks, heat capacities, a free mass on a damper:
                       eigenvalues 0, which let nothing else grow
ORDERS    hold (0), all (0, 1 and 2), or a list as 1,2
VERDICT   default (stability_check all) or identified
OUTDIR    jobs, results and what was judged; default build/judge/linear-KIND-ORDERS-VERDICT-SEED

Environment:
  MACROSTEP_BINARY  the program (the release build)
  SKIP        number of the first problem (0); SEED and number make the problem
  TIMEOUT     s for one search (600)
  BUDGET_S    no new problem after so many seconds (none)
  INTEGRATOR  exact (default), or mixed: each unit exact, trapezoidal or rk4 with micro-steps
  TESTS       default: the program's own tests of 1 s; scaled: as long as the motions need; drawn
              (default): one or the other
  FIRST       the scan begins at this share of the fastest period (0.0005)
  LAST        ... and ends at this one (1)
  KEEP        all (default): keeps every job and result; refuted: only those with a flag in capitals
              or without an answer

A line per problem:
  number variant/tests  order  H  rate: the largest at H by own matrices, in 1/s  limit: the
  smallest H that grows with this order, on a grid of 2 % (>: none up to the scan's end)  ratio:
  H / min(limit / 1.1, scan's end)  best: H / (the same of the best order)  time  flags

Flags:
  GROWS          a motion grows at H; undamped: by more than a tenth in the session told
  GROWS-BELOW    a motion grows somewhere from H/32 to H (grid of 2 %), or at H/64 or H/128
  NO-MARGIN      a motion grows somewhere from H to 1.1 H
  unknown        not verified, or no growth told
  check-unknown  verified, by the exact analysis for instance, though a check has no verdict
  none           no recommendation
  MISSED         ... although own matrices know a stable H with its margin inside the scan
  UNTOLD         undamped: growth at H that growth.over_session does not tell (off by more than
                 1 %), or that no warning and no sentence mentions
  allowance      undamped: something grows, as a session allows
  SHORT          the session told is shorter than 1000 times the slowest time: a period of what
                 swings, a time constant of what does not
  RATE           growth.rate_per_s is none of the own rates, by more than its uncertainty and 1 %
  FAILED         no result
Exit code 1 where something is GROWS or FAILED.
"""


def reachable(limit, last_s):
    """The largest H inside the scan whose margin is below the limit."""
    return last_s if limit is None else min(limit / 1.1, last_s)


def own_reach(problem, orders, allowance_s):
    """What own matrices allow each order; 0 where the grid grows from its first H on."""
    reach = {}
    for order in orders:
        low = problem.first_s / 4
        limit = problem.truth.limit(int(order), low, 1.1 * problem.last_s, allowance_s)
        grows_at_once = limit is not None and limit <= low * 1.0001
        reach[order] = 0.0 if grows_at_once else reachable(limit, problem.last_s)
    return reach


def growth_flags(truth, order, h, allowance_s):
    def some_grow(steps):
        return any(truth.grows(order, x, allowance_s) for x in steps)

    grid = [h / 32 * 1.02**k for k in range(180)]
    below = [x for x in grid if x < h] + [h / 64, h / 128]
    above = [h * x for x in (1.02, 1.04, 1.06, 1.08, 1.0999)]
    flags = {"GROWS": [h], "GROWS-BELOW": below, "NO-MARGIN": above}
    return [flag for flag, steps in flags.items() if some_grow(steps)]


def growth_told(recommendation):
    """The growth of an answer; nothing where only the swing of runs verifies it, without a rate."""
    growth = (recommendation or {}).get("growth")
    return growth if growth and growth["rate_per_s"] is not None else None


def check_flags(recommendation, checks):
    if not recommendation.get("verified") or not growth_told(recommendation):
        return ["unknown"]
    return ["check-unknown"] if "unknown" in checks.values() else []


def told_flags(truth, order, h, growth):
    """Whether the rate and the session that the answer tells are right."""
    flags = []
    told, uncertainty = growth.get("rate_per_s"), growth.get("uncertainty_per_s") or 0
    if told is not None:
        # A kept motion has the rate 0; the fastest of the others may be told, or that of 1.1 H.
        own = [*truth.rates(order, h)[0], *truth.rates(order, 1.1 * h)[0]]
        allowed = uncertainty + 0.01 * abs(told) + 1e-6 / truth.slowest_s
        if min(abs(told - x) for x in own) > allowed:
            flags.append("RATE")
    if growth["session_s"] < 0.99 * 1000 * truth.slowest_time_s:
        flags.append("SHORT")
    return flags


def allowance_flags(over_session, recommendation):
    """Whether an answer that grows within a session says so."""
    if over_session <= 1.001:
        return []
    told = (growth_told(recommendation) or {}).get("over_session")
    words = [recommendation.get("sentence") or "", *recommendation.get("warnings", [])]
    is_told = told is not None and abs(told - over_session) <= 0.01 * over_session
    return ["allowance"] if is_told and "session" in " ".join(words) else ["UNTOLD", "allowance"]


def judge(kind, orders, problem, result):
    """What own matrices say of one answer."""
    truth, recommendation = problem.truth, result.get("recommendation")
    growth = growth_told(recommendation)
    session_s = growth["session_s"] if growth else None
    if kind == "undamped" and not session_s:
        session_s = 1000 * truth.slowest_time_s
    allowance_s = session_s if kind == "undamped" else None
    reach = own_reach(problem, orders, allowance_s)
    best = max(reach.values())
    row = {"flags": [], "own_reach_s": reach, "best_s": best}
    flags = row["flags"]
    if not recommendation:
        # A point of the scan and its margin.
        flags += ["none", "MISSED"] if best > problem.first_s * 1.3 else ["none"]
        return row
    h, order = recommendation["macro_step_s"], int(recommendation["extrapolation"])
    limit = truth.limit(order, min(problem.first_s, h) / 64, 1.1 * problem.last_s, allowance_s)
    checks = {c["check"]: c["verdict"] for c in recommendation.get("checks", [])}
    rates, kept = truth.rates(order, h)
    row.update(
        order=recommendation["extrapolation"],
        h=h,
        rate=float(rates[0]),
        kept=kept,
        excess=truth.excess(order, h, allowance_s),
        session_s=session_s,
        verified=recommendation.get("verified"),
        limit_s=limit,
        ratio=h / reachable(limit, problem.last_s),
        best_ratio=h / best if best > 0 else None,
        checks=checks,
        told=growth,
    )
    flags += growth_flags(truth, order, h, allowance_s) + check_flags(recommendation, checks)
    if growth:
        flags += told_flags(truth, order, h, growth)
    if kind == "undamped":
        row["over_session"] = math.exp(min(50.0, max(0.0, rates[0]) * session_s))
        flags += allowance_flags(row["over_session"], recommendation)
    return row


def say_row(name, row, problem, result):
    seconds, flags = f"{row['seconds']:.1f} s", " ".join(row["flags"])
    if "h" in row:
        mark = ">" if row["limit_s"] is None else ""
        limit = mark + shown(row["limit_s"] or 1.1 * problem.last_s)
        say(
            f"{name:42s} order {row['order']} H {row['h']:.5g}  rate {row['rate']:.4g}  "
            f"limit {limit}  ratio {row['ratio']:.3f}  best {shown(row['best_ratio'], 3)}  "
            f"{seconds}  {flags}"
        )
    else:
        reach = ", ".join(f"{order}: {h:.4g}" for order, h in row["own_reach_s"].items())
        reason = (result.get("reason") or result.get("sentence") or "")[:140]
        say(
            f"{name:42s} none  own reach {reach}  scan {problem.first_s:.3g} ... "
            f"{problem.last_s:.3g}  {seconds}  {flags}  {reason}"
        )


def say_summary(title, rows):
    def flagged(flag):
        return [row["number"] for row in rows if flag in row["flags"]]

    def count(flag):
        return len(flagged(flag))

    answered = [row for row in rows if "h" in row]
    seconds = [row["seconds"] for row in rows]
    say(
        f"SUMMARY {title}: {len(rows)} problems, {len(answered)} answers, "
        f"{count('GROWS')} growing, {count('GROWS-BELOW')} growing below, "
        f"{count('NO-MARGIN')} without margin, "
        f"median ratio {shown(median([row['ratio'] for row in answered]))}, "
        f"median of best {shown(median([row['best_ratio'] for row in answered]))}, "
        f"{count('none')} without an answer ({count('MISSED')} missed), "
        f"{count('unknown')} unknown, {count('check-unknown')} with a check unknown, "
        f"{count('allowance')} by allowance, {count('UNTOLD')} untold, "
        f"{count('SHORT')} short sessions, {count('RATE')} rates off, {count('FAILED')} failed; "
        f"median {shown(median(seconds), 3)} s, longest {max(seconds, default=0):.1f} s"
    )
    bad = ["GROWS", "GROWS-BELOW", "NO-MARGIN", "MISSED", "UNTOLD", "SHORT", "FAILED"]
    say_flagged(flagged, bad)
    return 1 if flagged("GROWS") or flagged("FAILED") else 0


def judged(options, number, orders, folder):
    """One problem: drawn, searched, judged, told and written down."""
    problem = draw(options.seed, number, options.kind, orders, options.verdict)
    path = f"{folder}/{number:04d}"
    write_json(path + "_job.json", problem.job)
    answer = search(path + "_job.json")
    name = f"{number:4d} {problem.pair.variant}/{problem.tests}"
    if not has_result(answer):
        why = f"exit {answer.code} {'timed out' if answer.timed_out else ''}"
        say(f"{name:42s} FAILED {why} {answer.err.strip()[-300:]}")
        return {"number": number, "flags": ["FAILED"], "seconds": answer.seconds}
    row = judge(options.kind, orders, problem, answer.data)
    row.update(
        number=number,
        variant=problem.pair.variant,
        tests=problem.tests,
        seconds=answer.seconds,
        fastest_s=problem.truth.fastest_s,
        slowest_s=problem.truth.slowest_s,
    )
    write_json(path + "_judged.json", row)
    refuted = any(flag.isupper() for flag in row["flags"]) or "none" in row["flags"]
    if refuted or setting("KEEP", "all") == "all":
        write_json(path + "_result.json", slim(answer.data))
    else:
        os.remove(path + "_job.json")
    say_row(name, row, problem, answer.data)
    return row


def main():
    own = {
        "count": {"type": int},
        "kind": {"choices": ["damped", "undamped", "integrators"]},
        "orders": {},
        "verdict": {"choices": ["default", "identified"]},
    }
    options = arguments(__doc__, HELP, own)
    orders = {"hold": "0", "all": "0,1,2"}.get(options.orders, options.orders).split(",")
    name = f"linear-{options.kind}-{''.join(orders)}-{options.verdict}-{options.seed}"
    folder = made_folder(options.folder, name)
    numbers = numbers_within(options.count, setting("BUDGET_S", math.inf))
    rows = [judged(options, number, orders, folder) for number in numbers]
    skip = setting("SKIP", 0)
    write_json(f"{folder}/summary_{skip}.json", rows)
    title = f"{options.kind} orders {','.join(orders)} {options.verdict} seed {options.seed}"
    return say_summary(f"{title} from {skip}", rows)


if __name__ == "__main__":
    sys.exit(main())
