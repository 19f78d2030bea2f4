"""The client against the real server, and against the server's own description of its API."""

import ast
import functools
import importlib.util
import inspect
import os
import subprocess
import sys
import threading
import time
import unittest
from xml.etree import ElementTree

from harness import SCRATCH, BreakingNetwork, Server, macrostep

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
CLIENT = os.path.join(ROOT, "server/api/client")
sys.path.insert(0, CLIENT)
import macrostep_client  # noqa: E402
from macrostep_client import ApiError, Client, ConnectionFailed, WaitTimeout  # noqa: E402

# Operations that the client has no method for, and why.
LEFT_OUT = {
    "getDashboard": "is the page",
    "beginSession": "is for browsers, which cannot show a token with every request",
    "endSession": "is for browsers",
}

# Two masses: a tenth of a second. It bends and falls off its cliff.
QUICK = {"problem": "linear_oscillator"}
# Long enough to be cut off, cancelled, watched.
SLOW = {
    "problem": "double_actuator_crane",
    "search": {"macro_step": {"initial_s": 1e-5, "increment_s": 1e-5}},
}
MAP = {
    "kind": "map",
    "problem": "stiff_oscillator",
    "search": {"couplings": ["force_displacement"], "extrapolation": ["0"]},
    "map": {
        "x": {"parameter": "coupling.c_k", "minimum": 1, "maximum": 1e10, "count": 4},
        "y": {"parameter": "coupling.d_k", "minimum": 1, "maximum": 1e7, "count": 3},
        "macro_steps_s": {"minimum_s": 1e-6, "maximum_s": 3e-3, "count": 2},
    },
}

called = set()


def note_calls():
    """Every method notes that it was called: in the end each operation must have been."""
    for name in macrostep_client.operations().values():
        method = getattr(Client, name)

        @functools.wraps(method)
        def noting(*arguments, _method=method, **named):
            called.add(_method.operation)
            return _method(*arguments, **named)

        setattr(Client, name, noting)


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--threads", "2").start()
        cls.macrostep = Client(cls.server.url)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def search_that_ended(self, job=None):
        search = self.macrostep.wait(self.macrostep.submit(QUICK if job is None else job)["id"], timeout_s=120)
        self.assertEqual(search["status"], "succeeded", search["reason"])
        return search

    def test_every_operation_of_the_document_has_a_method_with_its_parameters(self):
        document = self.macrostep.openapi()
        methods = macrostep_client.operations()
        shared = document["components"]["parameters"]
        documented = set()
        for path, operations in document["paths"].items():
            for verb, operation in operations.items():
                if verb not in ("get", "post", "patch", "delete", "put"):
                    continue
                name = operation["operationId"]
                documented.add(name)
                self.assertNotEqual(name in methods, name in LEFT_OUT, name)
                if name in LEFT_OUT:
                    continue
                taken = set(inspect.signature(getattr(Client, methods[name])).parameters)
                for reference in operation.get("parameters", []):
                    parameter = shared[reference["$ref"].rsplit("/", 1)[1]]
                    # Files are named by themselves, answers are not kept here.
                    if parameter["name"] in ("If-None-Match",):
                        continue
                    wanted = parameter["name"].lower().replace("-", "_")
                    self.assertIn(wanted, taken, f"{verb} {path}")
        self.assertEqual(documented, set(methods) | set(LEFT_OUT))

    def test_python_3_9_reads_every_file_and_nothing_else_is_needed(self):
        for name in sorted(os.listdir(CLIENT)):
            if not name.endswith(".py"):
                continue
            with open(os.path.join(CLIENT, name), encoding="utf-8") as file:
                tree = ast.parse(file.read(), feature_version=(3, 9))
            for node in ast.walk(tree):
                imported = []
                if isinstance(node, ast.Import):
                    imported = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    imported = [node.module]
                for module in imported:
                    top = module.split(".")[0]
                    known = top in sys.stdlib_module_names if sys.version_info >= (3, 10) else True
                    allowed = known or f"{top}.py" in os.listdir(CLIENT) or (top, name) == ("matplotlib", "residual_curves.py")
                    self.assertTrue(allowed, f"{name} imports {module}")

    def test_a_search_from_its_submission_to_its_files(self):
        seen = []
        submitted = self.macrostep.submit({**QUICK, "tags": ["client"], "note": "by hand"})
        search = self.macrostep.wait(submitted["id"], timeout_s=120, on_progress=seen.append)
        self.assertEqual(search["status"], "succeeded")
        self.assertGreater(search["recommendation"]["macro_step_s"], 0)
        self.assertEqual(seen[-1]["curves_done"], seen[-1]["curves_total"])

        curves = self.macrostep.curves(search["id"])
        points = sum(len(curve["points"]) for curve in curves)
        trials = list(self.macrostep.trials(search["id"], limit=7))
        self.assertEqual([trial["id"] for trial in trials], list(range(points)))
        self.assertEqual(self.macrostep.trial(search["id"], 3), trials[3])

        trace = self.macrostep.trace(search["id"], 0, points=50, reference=True)
        self.assertIn("reference.m1.x", trace["columns"])
        self.assertTrue(self.macrostep.rerun(search["id"], 0)["identical"])

        document = self.macrostep.export(search["id"])
        self.assertEqual(document["recommendation"], search["recommendation"])
        rows = self.macrostep.export(search["id"], "csv").decode().splitlines()
        self.assertEqual(len(rows), points + 1)
        self.assertTrue(self.macrostep.export(search["id"], "ssp").startswith(b"PK"))
        self.assertIn(b"<OspSystemStructure", self.macrostep.export(search["id"], "osp"))
        self.assertIn(b"macro_step_s", self.macrostep.export(search["id"], "c"))

        found = list(self.macrostep.searches(tag=["client"], status=["succeeded", "failed"], sort="name"))
        self.assertEqual([one["id"] for one in found], [search["id"]])
        other = self.search_that_ended({**QUICK, "parameters": {"coupling.k_c": 200}})
        compared = self.macrostep.compare([search["id"], other["id"]])
        self.assertFalse(compared["identical"])
        self.macrostep.delete(other["id"])
        with self.assertRaises(ApiError) as refused:
            self.macrostep.search(other["id"])
        self.assertEqual((refused.exception.status, refused.exception.type), (404, "/problems/not-found"))

    def test_every_mistake_of_a_job_comes_with_its_pointer(self):
        job = {"problem": "linear_oscillator", "search": {"schemes": ["jacoby"]}, "colour": 1}
        for ask in (self.macrostep.submit, functools.partial(self.macrostep.submit, dry_run=True)):
            with self.assertRaises(ApiError) as refused:
                ask(job)
            error = refused.exception
            self.assertEqual((error.status, error.type), (422, "/problems/invalid-job"))
            self.assertEqual(sorted(pointer for pointer, _ in error.errors), ["/colour", "/search/schemes/0"])
            self.assertIn("jacobi", dict(error.errors)["/search/schemes/0"])
            self.assertIn("/colour", str(error))
            self.assertTrue(error.request_id)

    def test_a_dry_run_tells_the_cost_and_stores_nothing(self):
        before = len(list(self.macrostep.searches()))
        self.assertGreater(self.macrostep.submit(QUICK, dry_run=True)["estimate"]["trials_max"], 0)
        self.assertEqual(len(list(self.macrostep.searches())), before)

    def test_pages_are_taken_until_the_last(self):
        # They wait behind one that runs, so that they need not be run.
        front = self.macrostep.submit(SLOW)
        ids = [self.macrostep.submit({**QUICK, "name": f"page {number}"})["id"] for number in range(5)]
        listed = [one["id"] for one in self.macrostep.searches(name="page ", limit=2)]
        self.assertEqual(listed, ids[::-1])
        for id in [*ids, front["id"]]:
            self.macrostep.cancel(id)
        self.assertEqual(self.macrostep.wait(front["id"], timeout_s=60)["status"], "cancelled")
        for id in [*ids, front["id"]]:
            self.macrostep.delete(id)

    def test_a_cancelled_search_goes_on_where_it_stopped(self):
        job = {"problem": "double_actuator_crane", "search": {"extrapolation": ["0", "1"]}}
        id = self.macrostep.submit(job)["id"]
        for event in self.macrostep.watch(id):
            if event.name == "points":
                break
        self.macrostep.cancel(id)
        stopped = self.macrostep.wait(id, timeout_s=60)
        self.assertEqual((stopped["status"], stopped["complete"]), ("cancelled", False))
        with self.assertRaises(ApiError):
            self.macrostep.resume("no-such-search")
        self.macrostep.resume(id)
        self.assertEqual(self.macrostep.wait(id, timeout_s=240)["status"], "succeeded")

    def test_a_change_is_refused_when_somebody_was_faster(self):
        search = self.search_that_ended()
        seen = self.macrostep.search(search["id"])
        self.assertEqual(self.macrostep.change(search["id"], note="mine")["note"], "mine")
        with self.assertRaises(ApiError) as refused:
            self.macrostep.change(search["id"], if_match=seen.etag, note="yours")
        self.assertEqual(refused.exception.status, 412)

    def test_a_map_is_waited_for_and_saved(self):
        self.assertEqual(self.macrostep.submit_analysis(MAP, dry_run=True)["estimate"]["values"], 24)
        id = self.macrostep.submit_analysis(MAP)["id"]
        self.assertEqual(self.macrostep.wait_for_analysis(id, timeout_s=60)["status"], "succeeded")
        done = self.macrostep.analysis(id)
        self.assertEqual(done["points_done"], done["points_total"])
        self.assertEqual(len(self.macrostep.export_analysis(id, "csv").splitlines()), 25)
        self.assertIn(b"<svg", self.macrostep.export_analysis(id, "svg"))
        self.assertEqual(len(self.macrostep.export_analysis(id)["configurations"][0]["layers"]), 2)
        self.assertIn(id, [one["id"] for one in self.macrostep.analyses(kind="map", limit=1)])
        self.macrostep.cancel_analysis(id)  # harmless by now
        self.macrostep.delete_analysis(id)
        with self.assertRaises(ApiError):
            self.macrostep.analysis(id)

    def test_fmus_are_uploaded_searched_and_deleted(self):
        pair = {}
        for name in ("m1", "m2"):
            file = os.path.join(SCRATCH, f"{name}.fmu")
            macrostep("fmu", "export", "linear_oscillator", name, "--fmi", "2", "--out", file)
            pair[name] = self.macrostep.upload_fmu(file)
        again = self.macrostep.upload_fmu(os.path.join(SCRATCH, "m1.fmu"))
        self.assertEqual(again["sha256"], pair["m1"]["sha256"])
        self.assertEqual(len(list(self.macrostep.fmus(limit=1))), 2)
        self.assertEqual(self.macrostep.fmu(pair["m2"]["sha256"])["file_name"], "m2.fmu")
        with self.assertRaises(ApiError) as refused:
            self.macrostep.upload_fmu(b"this is no archive", name="text.fmu")
        self.assertEqual(refused.exception.type, "/problems/invalid-fmu")
        for fmu in pair.values():
            self.macrostep.delete_fmu(fmu["sha256"])
        self.assertEqual(list(self.macrostep.fmus()), [])

    def test_the_server_tells_how_it_is(self):
        self.assertEqual(self.macrostep.health()["status"], "ok")
        self.assertEqual(self.macrostep.readiness()["status"], "ready")
        self.assertIn("macrostep_build_info", self.macrostep.metrics())
        self.assertIn("double_actuator_crane", [one["name"] for one in self.macrostep.problems()])
        self.assertEqual(self.macrostep.problem("linear_oscillator")["job"]["problem"], "linear_oscillator")
        self.assertIn("executors", self.macrostep.executors())

    def test_a_broken_stream_is_taken_up_after_the_last_event(self):
        id = self.search_that_ended({**QUICK, "search": {"macro_step": {"maximum_s": 0.02}}})["id"]
        whole = [(event.sequence, event.name) for event in self.macrostep.events(search=id)]
        network = BreakingNetwork(self.server.port, cuts=[400, 900, 700])
        self.addCleanup(network.close)
        broken = [(event.sequence, event.name) for event in Client(network.url).events(search=id)]
        self.assertEqual(broken, whole)
        self.assertGreater(len(network.requests), 3)
        self.assertTrue(any("Last-Event-ID:" in request for request in network.requests))

    def test_a_submission_whose_answer_is_lost_is_one_search(self):
        before = len(list(self.macrostep.searches()))
        network = BreakingNetwork(self.server.port, cuts=[20])
        self.addCleanup(network.close)
        submitted = Client(network.url).submit(QUICK)
        self.assertEqual(len([one for one in network.requests if one.startswith("POST")]), 2)
        self.assertEqual(len(list(self.macrostep.searches())), before + 1)
        again = self.macrostep.submit(QUICK, idempotency_key="by-hand")
        self.assertEqual(self.macrostep.submit(QUICK, idempotency_key="by-hand")["id"], again["id"])
        with self.assertRaises(ApiError) as refused:
            self.macrostep.submit({**QUICK, "name": "another"}, idempotency_key="by-hand")
        self.assertEqual(refused.exception.type, "/problems/idempotency-key-reused")
        self.macrostep.wait(submitted["id"], timeout_s=60)

    def test_a_server_that_is_killed_and_comes_back_is_waited_for(self):
        server = Server("--threads", "1").start()
        self.addCleanup(server.stop)
        client = Client(server.url)
        id = client.submit({"problem": "double_actuator_crane", "search": {"extrapolation": ["0", "1"]}})["id"]
        for event in client.watch(id):
            if event.name == "points":
                break

        def away():
            server.stop(kill=True)
            time.sleep(0.5)
            server.start()

        meanwhile = threading.Thread(target=away)
        meanwhile.start()
        search = client.wait(id, timeout_s=240)
        meanwhile.join()
        self.assertEqual(search["status"], "succeeded")

    def test_patience_ends(self):
        server = Server().start()
        server.stop()
        client = Client(server.url, patience_s=0.5)
        with self.assertRaises(ConnectionFailed):
            client.health()
        with self.assertRaises(ConnectionFailed):
            next(client.events())
        id = self.macrostep.submit(SLOW)["id"]
        with self.assertRaises(WaitTimeout):
            self.macrostep.wait(id, timeout_s=0.1)
        self.macrostep.cancel(id)
        self.macrostep.wait(id, timeout_s=60)
        for url in ("127.0.0.1:8080", "ftp://127.0.0.1", "http://"):
            with self.assertRaises(ValueError):
                Client(url)

    def test_tokens(self):
        file = os.path.join(SCRATCH, "token")
        with open(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as token:
            token.write("0123456789abcdef\n")
        server = Server("--token-file", file).start()
        self.addCleanup(server.stop)
        with self.assertRaises(ApiError) as refused:
            Client(server.url).problems()
        self.assertEqual(refused.exception.status, 401)
        self.assertTrue(Client(server.url, token_file=file).problems())
        self.assertTrue(Client(server.url, token="0123456789abcdef").problems())

    def run_script(self, name, *arguments):
        command = [sys.executable, os.path.join(CLIENT, name), *arguments, "--url", self.server.url]
        return subprocess.run(command, capture_output=True, text=True, timeout=240)

    def test_the_script_that_draws_residual_curves(self):
        file = os.path.join(SCRATCH, "curves.svg")
        drawn = self.run_script("residual_curves.py", "linear_oscillator", "--out", file)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        latest = next(self.macrostep.searches())
        self.assertIn(latest["sentence"], drawn.stdout)
        picture = ElementTree.parse(file).getroot()
        name = "{http://www.w3.org/2000/svg}"
        curves = [curve for curve in self.macrostep.curves(latest["id"]) if any(p["residual_J"] for p in curve["points"])]
        self.assertEqual(len(picture.findall(f"{name}polyline")), len(curves))
        texts = [text.text for text in picture.findall(f"{name}text")]
        for wanted in ("step", "bend", "cliff", "macro-step H, ms"):
            self.assertIn(wanted, texts)
        again = self.run_script("residual_curves.py", latest["id"], "--tests", "step", "--out", file)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("curves.svg: step; ", again.stdout)
        other = os.path.join(SCRATCH, "curves.png")
        by_matplotlib = self.run_script("residual_curves.py", latest["id"], "--out", other)
        if importlib.util.find_spec("matplotlib") is None:
            self.assertIn("matplotlib is not installed", by_matplotlib.stderr)
        else:
            self.assertGreater(os.path.getsize(other), 1000, by_matplotlib.stderr)
        wrong = self.run_script("residual_curves.py", latest["id"], "--tests", "stepp", "--out", file)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("no test stepp", wrong.stderr)

    def test_the_script_that_compares_limits(self):
        file = os.path.join(SCRATCH, "limits.svg")
        told = self.run_script("limits.py", "linear_oscillator", "--limits", "0.2,0.02", "--out", file)
        self.assertEqual(told.returncode, 0, told.stderr)
        rows = told.stdout.splitlines()
        self.assertEqual(len(rows), 2, told.stdout)
        steps = [float(row.split("H = ")[1].split(" ms")[0]) for row in rows]
        self.assertGreater(steps[0], steps[1])  # less residual wants a smaller step
        ElementTree.parse(file)

    def test_zz_every_operation_was_called(self):
        if len(sys.argv) > 1:
            self.skipTest("only some tests are run")
        self.assertEqual(called, set(macrostep_client.operations()))


if __name__ == "__main__":
    note_calls()
    program = unittest.main(exit=False, verbosity=2)
    result = program.result
    failed = len(result.failures) + len(result.errors)
    for test, why in result.skipped:
        print(f"skipped: {test}: {why}")
    passed = result.testsRun - failed - len(result.skipped)
    sys.stderr.flush()
    print(f"{passed} passed, {failed} failed, {len(result.skipped)} skipped")
    sys.exit(0 if failed == 0 else 1)
