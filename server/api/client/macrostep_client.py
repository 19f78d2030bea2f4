"""macrostep over REST, in one file that needs Python 3.9 and nothing else: copy it beside your script.

    from macrostep_client import Client

    macrostep = Client("http://127.0.0.1:8080")
    search = macrostep.submit({"problem": "linear_oscillator"})
    answer = macrostep.wait(search["id"])
    print(answer["sentence"])

Answers are the server's JSON as dictionaries and lists; their members are described at
/api/v1/openapi.json. Numbers carry their unit in their name; what is not known is None.

What goes wrong is an exception below `MacrostepError`. A refusal by the server is an `ApiError`, whose
`errors` say for every mistake of a job where it is (a JSON pointer) and what is allowed there.

Connections that break are made again where repeating is harmless: reading always; submitting too, as
every submission has an Idempotency-Key. "Come back later" (429, 503 with Retry-After) is obeyed. Both end
after `patience_s`.
"""

import http.client
import inspect
import json
import os
import socket
import ssl
import time
import urllib.parse
import uuid

__all__ = ["Answer", "ApiError", "Client", "ConnectionFailed", "Event", "MacrostepError", "WaitTimeout", "operations"]

_ENDED = ("succeeded", "failed", "cancelled")
_HEARTBEAT_S = 15.0  # a silent event stream says something so often
_FIRST_DELAY_S = 0.2  # before the second try; then twice as long each time, up to
_LONGEST_DELAY_S = 5.0


class MacrostepError(Exception):
    """Whatever goes wrong between this client and a server."""


class ConnectionFailed(MacrostepError):
    """Nobody answers, or the answer is cut off, for longer than the client's patience."""


class WaitTimeout(MacrostepError, TimeoutError):
    """What was waited for has not ended in time; on the server it goes on."""


class ApiError(MacrostepError):
    """The server refuses a request, and says why (RFC 9457).

    status      the HTTP status
    type        "/problems/invalid-job" and the like
    title, detail   for people
    errors      [(JSON pointer, what is wrong there), ...]: all mistakes of a body
    request_id  what the server's log calls the request
    retry_after_s   when to come back, or None
    """

    def __init__(self, status, problem, headers):
        self.status = status
        self.type = problem.get("type", "about:blank")
        self.title = problem.get("title", "")
        self.detail = problem.get("detail", "")
        self.errors = [(one["pointer"], one["detail"]) for one in problem.get("errors", [])]
        self.request_id = headers.get("X-Request-Id")
        after = headers.get("Retry-After")
        self.retry_after_s = float(after) if after is not None and after.isdigit() else None
        lines = [f"{self.title or 'refused'} ({status}): {self.detail}"]
        lines += [f"  {pointer or '(the whole)'}: {detail}" for pointer, detail in self.errors]
        super().__init__("\n".join(lines))


class Answer(dict):
    """A JSON object of the server; `etag` is its version, for `Client.change`."""

    etag = None


class Event:
    """One event of a stream: `name` is status, points, finished or changed, `data` its JSON."""

    def __init__(self, name, data, sequence):
        self.name = name
        self.data = data
        self.sequence = sequence

    def __repr__(self):
        return f"Event({self.name!r}, sequence={self.sequence})"


def _serves(operation):
    """Marks the method that asks for an operation of the OpenAPI document."""

    def mark(method):
        method.operation = operation
        return method

    return mark


def operations():
    """{operationId: method name}: what of the API this client asks for."""
    methods = inspect.getmembers(Client, inspect.isfunction)
    return {method.operation: name for name, method in methods if hasattr(method, "operation")}


class Client:
    """A server. One object may be used by one thread at a time; it holds no connection open."""

    def __init__(self, url="http://127.0.0.1:8080", token=None, token_file=None, timeout_s=60.0, patience_s=60.0):
        """`token` or the first line of `token_file` is shown with every request. `timeout_s` is how long
        an answer may be silent, `patience_s` how long a server may be away, or busy, before that is an
        error."""
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a server: http://HOST:PORT")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port or (443 if self._secure else 80)
        self._prefix = parts.path.rstrip("/")
        if token_file is not None:
            with open(token_file, encoding="ascii") as lines:
                token = lines.readline().strip()
        self._token = token
        self.timeout_s = timeout_s
        self.patience_s = patience_s

    # --- the server itself ------------------------------------------------------------------------

    @_serves("getHealth")
    def health(self):
        """That the process lives."""
        return self._json("GET", "/healthz")

    @_serves("getReadiness")
    def readiness(self):
        """Whether it takes jobs; ApiError 503 where it does not."""
        return self._json("GET", "/readyz", patient=False)

    @_serves("getMetrics")
    def metrics(self):
        """What Prometheus collects, as text."""
        return self._request("GET", "/metrics")[2].decode()

    @_serves("getOpenApi")
    def openapi(self):
        """The description of the API."""
        return self._json("GET", "/api/v1/openapi.json")

    @_serves("listExecutors")
    def executors(self):
        """What runs the trials of searches here."""
        return self._json("GET", "/api/v1/executors")

    @_serves("listProblems")
    def problems(self):
        """The built-in problems."""
        return self._json("GET", "/api/v1/problems")["problems"]

    @_serves("getProblem")
    def problem(self, name):
        """One of them, with its default job."""
        return self._json("GET", f"/api/v1/problems/{_quoted(name)}")

    # --- searches ---------------------------------------------------------------------------------

    @_serves("submitSearch")
    def submit(self, job, idempotency_key=None, dry_run=False):
        """Submits a job and gives the summary of its search; with `dry_run` only says what the job stands
        for and what it would cost. ApiError 422 names every mistake of the job."""
        return self._submit("/api/v1/searches", job, idempotency_key, dry_run)

    @_serves("listSearches")
    def searches(
        self,
        status=None,
        problem=None,
        tag=None,
        name=None,
        created_after=None,
        created_before=None,
        sort=None,
        limit=None,
        after=None,
    ):
        """The summaries of all searches that fit, newest first, page after page as they are taken. `status`
        and `tag` are one or a list; `limit` is the size of a page, `after` the `next` of an earlier one."""
        query = {
            "status": _listed(status),
            "problem": problem,
            "tag": _listed(tag),
            "name": name,
            "created_after": created_after,
            "created_before": created_before,
            "sort": sort,
        }
        return self._pages("/api/v1/searches", "searches", query, limit, after)

    @_serves("getSearch")
    def search(self, id):
        """State, progress, recommendation, table and curves without their points."""
        return self._json("GET", f"/api/v1/searches/{_quoted(id)}")

    @_serves("changeSearch")
    def change(self, id, if_match=None, **members):
        """Changes `name`, `note`, `tags` or `priority`. `if_match` is the `etag` of an earlier
        answer: ApiError 412 if the search has changed since."""
        headers = {} if if_match is None else {"If-Match": if_match}
        return self._json("PATCH", f"/api/v1/searches/{_quoted(id)}", body=members, headers=headers)

    @_serves("deleteSearch")
    def delete(self, id):
        """Removes it; ApiError 409 while it runs."""
        self._request("DELETE", f"/api/v1/searches/{_quoted(id)}", patient=False)

    @_serves("cancelSearch")
    def cancel(self, id):
        """Stops it, and keeps what it has found."""
        return self._json("POST", f"/api/v1/searches/{_quoted(id)}/cancel")

    @_serves("resumeSearch")
    def resume(self, id):
        """Goes on with one that has ended without success."""
        return self._json("POST", f"/api/v1/searches/{_quoted(id)}/resume", patient=False)

    @_serves("getCurves")
    def curves(self, id):
        """The residual over H of every configuration and test, with all points."""
        return self._json("GET", f"/api/v1/searches/{_quoted(id)}/curves")["curves"]

    @_serves("listTrials")
    def trials(self, id, limit=None, after=None):
        """All trials, page after page as they are taken."""
        return self._pages(f"/api/v1/searches/{_quoted(id)}/trials", "trials", {}, limit, after)

    @_serves("getTrial")
    def trial(self, id, n):
        """One trial."""
        return self._json("GET", f"/api/v1/searches/{_quoted(id)}/trials/{int(n)}")

    @_serves("getTrace")
    def trace(self, id, n, points=None, reference=None):
        """One trial over time, run again where nobody has asked for it yet; with `reference` beside the
        monolithic solution."""
        query = {"points": points, "reference": _truth(reference)}
        return self._json("GET", f"/api/v1/searches/{_quoted(id)}/trials/{int(n)}/trace", query)

    @_serves("rerunTrial")
    def rerun(self, id, n):
        """Runs a trial again and says whether the result is the same."""
        return self._json("POST", f"/api/v1/searches/{_quoted(id)}/trials/{int(n)}/rerun")

    @_serves("exportSearch")
    def export(self, id, format="json"):
        """All of it: `json` as a dictionary; `csv` (the trials), `ssp`, `osp` and `c` (the recommendation) as
        the bytes of a file."""
        return self._export(f"/api/v1/searches/{_quoted(id)}/export", format)

    @_serves("compareSearches")
    def compare(self, ids):
        """What tells 2 to 20 searches apart."""
        return self._json("GET", "/api/v1/compare", {"ids": _listed(ids)})

    # --- maps and tunings -------------------------------------------------------------------------

    @_serves("submitAnalysis")
    def submit_analysis(self, job, idempotency_key=None, dry_run=False):
        """The same as `submit` for a job of the kind `map` or `tune`."""
        return self._submit("/api/v1/analyses", job, idempotency_key, dry_run)

    @_serves("listAnalyses")
    def analyses(self, status=None, kind=None, problem=None, name=None, limit=None, after=None):
        """The summaries of all that fit, newest first, page after page."""
        query = {"status": _listed(status), "kind": kind, "problem": problem, "name": name}
        return self._pages("/api/v1/analyses", "analyses", query, limit, after)

    @_serves("getAnalysis")
    def analysis(self, id):
        """State, progress, and the result without its points."""
        return self._json("GET", f"/api/v1/analyses/{_quoted(id)}")

    @_serves("cancelAnalysis")
    def cancel_analysis(self, id):
        """Stops it."""
        return self._json("POST", f"/api/v1/analyses/{_quoted(id)}/cancel")

    @_serves("deleteAnalysis")
    def delete_analysis(self, id):
        """Removes it; ApiError 409 while it runs."""
        self._request("DELETE", f"/api/v1/analyses/{_quoted(id)}", patient=False)

    @_serves("exportAnalysis")
    def export_analysis(self, id, format="json"):
        """All values: `json` as a dictionary, `csv` and `svg` as the bytes of a file."""
        return self._export(f"/api/v1/analyses/{_quoted(id)}/export", format)

    # --- FMUs -------------------------------------------------------------------------------------

    @_serves("uploadFmu")
    def upload_fmu(self, file, name=None):
        """Uploads an FMU, given by its path or its bytes; the answer has the `sha256` by which jobs name it."""
        if not isinstance(file, (bytes, bytearray)):
            name = os.path.basename(file) if name is None else name
            with open(file, "rb") as archive:
                file = archive.read()
        headers = {"Content-Type": "application/octet-stream"}
        return self._json("POST", "/api/v1/fmus", {"name": name}, bytes(file), headers, repeatable=True)

    @_serves("listFmus")
    def fmus(self, name=None, limit=None, after=None):
        """All of them, newest first, page after page."""
        return self._pages("/api/v1/fmus", "fmus", {"name": name}, limit, after)

    @_serves("getFmu")
    def fmu(self, sha256):
        """Ports, units, parameters and flags of one."""
        return self._json("GET", f"/api/v1/fmus/{_quoted(sha256)}")

    @_serves("deleteFmu")
    def delete_fmu(self, sha256):
        """Removes it; ApiError 409 while something that has not ended uses it."""
        self._request("DELETE", f"/api/v1/fmus/{_quoted(sha256)}", patient=False)

    # --- what happens -----------------------------------------------------------------------------

    @_serves("getEvents")
    def events(self, search=None, last_event_id=None):
        """What happens to one search, from its beginning until it has ended, or to all from now on, without
        an end. Comes back after a broken connection and misses nothing; gives up after `patience_s`."""
        for event in self._follow(search, last_event_id):
            if event is not None:
                yield event

    def _follow(self, search, last_event_id=None):
        """The events, and None from time to time where nothing happens."""
        away_since = None
        delay_s = _FIRST_DELAY_S
        while True:
            headers = {"Accept": "text/event-stream"}
            if last_event_id is not None:
                headers["Last-Event-ID"] = str(last_event_id)
            connection = None
            try:
                connection, answer = self._open(
                    "GET", "/api/v1/events", {"search": search}, None, headers, 3 * _HEARTBEAT_S
                )
                if answer.status == 204:
                    return
                if answer.status != 200:
                    raise _refusal(answer, answer.read())
                away_since, delay_s = None, _FIRST_DELAY_S
                for event in _events_of(answer):
                    last_event_id = last_event_id if event is None else event.sequence
                    yield event
            except ApiError as error:
                if error.status != 503:
                    raise
                away_since = self._check_patience(away_since, error)
            except (OSError, http.client.HTTPException) as error:
                away_since = self._check_patience(away_since, error)
            finally:
                if connection is not None:
                    connection.close()
            yield None
            time.sleep(delay_s)
            delay_s = min(2 * delay_s, _LONGEST_DELAY_S)

    def watch(self, id):
        """The events of a search until it has ended: `events` of that search."""
        return self.events(search=id)

    def wait(self, id, timeout_s=None, on_progress=None):
        """Follows a search to its end and gives it as `search` does, whatever its end is. `on_progress` is
        called with every `progress` on the way."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        for event in self._follow(id):
            if event is not None and on_progress is not None and event.data.get("progress") is not None:
                on_progress(event.data["progress"])
            if deadline is not None and time.monotonic() > deadline:
                raise WaitTimeout(f"search {id} has not ended after {timeout_s} s")
        search = self.search(id)
        if on_progress is not None:
            on_progress(search["progress"])
        return search

    def wait_for_analysis(self, id, timeout_s=None, on_progress=None):
        """The same of a map or a tuning, which is asked from time to time."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            analysis = self.analysis(id)
            if on_progress is not None:
                on_progress({name: analysis[name] for name in ("points_done", "points_total")})
            if analysis["status"] in _ENDED:
                return analysis
            if deadline is not None and time.monotonic() > deadline:
                raise WaitTimeout(f"analysis {id} has not ended after {timeout_s} s")
            time.sleep(0.3)

    # --- requests ---------------------------------------------------------------------------------

    def _submit(self, path, job, key, dry_run):
        if dry_run:
            return self._json("POST", path, {"dry_run": "true"}, job, repeatable=True)
        headers = {"Idempotency-Key": uuid.uuid4().hex if key is None else key}
        return self._json("POST", path, None, job, headers, repeatable=True)

    def _export(self, path, format):
        body = self._request("GET", path, {"format": format})[2]
        return json.loads(body) if format == "json" else body

    def _pages(self, path, rows, query, limit, after):
        while True:
            page = self._json("GET", path, {**query, "limit": limit, "after": after})
            yield from page[rows]
            after = page["next"]
            if after is None:
                return

    def _json(self, method, path, query=None, body=None, headers=None, repeatable=False, patient=True):
        _, answered, text = self._request(method, path, query, body, headers, repeatable, patient)
        value = json.loads(text)
        if isinstance(value, dict):
            value = Answer(value)
            value.etag = answered.get("ETag")
        return value

    def _request(self, method, path, query=None, body=None, headers=None, repeatable=False, patient=True):
        """(status, headers, body) of an answer below 400."""
        headers = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        repeatable = repeatable or method == "GET"
        away_since = None
        delay_s = _FIRST_DELAY_S
        while True:
            connection = None
            try:
                connection, answer = self._open(method, path, query, body, headers, self.timeout_s)
                text = answer.read()
                if answer.length is None and not answer.chunked and answer.status != 204:
                    raise http.client.IncompleteRead(text)  # cut off before its length was told
                if answer.status < 400:
                    return answer.status, answer.headers, text
                raise _refusal(answer, text)
            except ApiError as error:
                if not patient or error.status not in (429, 503) or error.retry_after_s is None:
                    raise
                away_since = self._check_patience(away_since, error)
                delay_s = error.retry_after_s
            except (OSError, http.client.HTTPException) as error:
                if not repeatable:
                    raise ConnectionFailed(f"{self._host}:{self._port}: {error}") from error
                away_since = self._check_patience(away_since, error)
            finally:
                if connection is not None:
                    connection.close()
            time.sleep(delay_s)
            delay_s = min(2 * delay_s, _LONGEST_DELAY_S)

    def _check_patience(self, away_since, error):
        """Since when nothing has come; raises `error` when that is too long."""
        now = time.monotonic()
        away_since = now if away_since is None else away_since
        if now - away_since >= self.patience_s:
            if isinstance(error, ApiError):
                raise error
            raise ConnectionFailed(f"{self._host}:{self._port}: {error}") from error
        return away_since

    def _open(self, method, path, query, body, headers, timeout_s):
        wanted = {name: value for name, value in (query or {}).items() if value is not None}
        target = self._prefix + path + ("?" + urllib.parse.urlencode(wanted) if wanted else "")
        if self._token is not None:
            headers = {**headers, "Authorization": f"Bearer {self._token}"}
        if self._secure:
            context = ssl.create_default_context()
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=timeout_s, context=context)
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout_s)
        try:
            connection.request(method, target, body=body, headers=headers)
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise


def _refusal(answer, text):
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        # No answer of ours: a proxy's.
        problem = {"title": answer.reason, "detail": text[:200].decode(errors="replace")}
    return ApiError(answer.status, problem, answer.headers)


def _events_of(answer):
    """The events of one connection, by the rules of server-sent events, and None for every sign of life;
    ends with the connection."""
    name, data, sequence = "message", [], None
    while True:
        try:
            line = answer.readline()
        except socket.timeout as error:
            raise ConnectionError("the stream is silent") from error
        if not line:
            return
        line = line.decode().rstrip("\r\n")
        if line == "":
            if data:
                yield Event(name, json.loads("\n".join(data)), sequence)
            name, data = "message", []
            continue
        if line.startswith(":"):
            yield None
            continue
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif field == "id":
            sequence = int(value)


def _quoted(text):
    return urllib.parse.quote(str(text), safe="")


def _listed(value):
    return ",".join(value) if isinstance(value, (list, tuple)) else value


def _truth(value):
    return None if value is None else ("true" if value else "false")
