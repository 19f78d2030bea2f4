"""The program that is judged: where it is, how it is run, and the files that go in and out."""

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass

from common import setting

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = setting("MACROSTEP_BINARY", ROOT + "/build/release/server/macrostep")
OUT = ROOT + "/build/judge"
TIMEOUT_S = setting("TIMEOUT", 600.0)


@dataclass
class Answer:
    code: int
    data: object  # what was printed as JSON; None where it is none
    err: str
    seconds: float
    timed_out: bool


def run_program(args, timeout=TIMEOUT_S):
    """One process in a group of its own; that group alone is ended when it takes too long."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [PROGRAM] + args,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    timed_out = False
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    data = None
    if not timed_out:
        try:
            data = json.loads(out)
        except ValueError:
            pass
    return Answer(process.returncode, data, err, time.monotonic() - begin, timed_out)


def search(job_path, threads=1):
    return run_program(["search", job_path, "--json", "--threads", str(threads)])


def has_result(answer):
    """Whether the search came to its end, with a recommendation or without."""
    return answer.data is not None and "recommendation" in answer.data


def made_folder(given, name):
    """The folder for jobs and results: the given one, else `name` below build/judge."""
    folder = os.path.abspath(given or os.path.join(OUT, name))
    os.makedirs(folder, exist_ok=True)
    return folder


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file, indent=1)


def slim(result):
    """A result without the points of its curves (they are most of it)."""
    if isinstance(result, dict) and "curves" in result:
        result = dict(result)
        result["curves"] = [{k: v for k, v in c.items() if k != "points"} for c in result["curves"]]
    return result
