"""What the tests of the client need: servers of their own, and a network that breaks on purpose."""

import os
import re
import socket
import subprocess
import threading

START_LIMIT_S = 60
END_LIMIT_S = 60
BINARY = os.environ["CLIENT_TEST_BINARY"]
SCRATCH = os.environ["CLIENT_TEST_SCRATCH"]


class Server:
    """macrostep serve on 127.0.0.1, on the same port again after the first start."""

    count = 0

    def __init__(self, *options):
        Server.count += 1
        self.folder = os.path.join(SCRATCH, f"server-{Server.count}")
        os.mkdir(self.folder)
        self.options = options
        self.port = 0
        self.process = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        command = [BINARY, "serve", "--listen", f"127.0.0.1:{self.port}", "--fmu-sandbox", "none"]
        command += ["--db", os.path.join(self.folder, "searches.db"), *self.options]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MACROSTEP_", "XDG_"))}
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, env={**kept, "HOME": self.folder}
            )
        # The line comes once it listens; a server that ends closes its end.
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline().decode())
        assert found is not None, open(os.path.join(self.folder, "log"), encoding="utf-8").read()
        self.port = int(found[1])
        return self

    def stop(self, kill=False):
        if self.process is None:
            return
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(END_LIMIT_S)
        self.process.stdout.close()
        self.process = None


class BreakingNetwork:
    """A port that leads to a server and cuts connections: each of the first ones after so many bytes of
    the answer, as `cuts` lists them; later ones are left alone. `requests` are the heads that came through."""

    def __init__(self, port, cuts):
        self.server_port = port
        self.cuts = list(cuts)
        self.requests = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            cut = self.cuts.pop(0) if self.cuts else None
            threading.Thread(target=self._serve, args=(client, cut), daemon=True).start()

    def _serve(self, client, cut):
        with client, socket.create_connection(("127.0.0.1", self.server_port)) as server:
            # The server wants its own name in the Host header.
            host = f"Host: 127.0.0.1:{self.server_port}".encode()
            request = b""
            while b"\r\n\r\n" not in request:
                piece = client.recv(65536)
                if not piece:
                    return
                request += piece
            head, _, body = request.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            while length is not None and len(body) < int(length[1]):
                body += client.recv(65536)
            self.requests.append(head.decode())
            server.sendall(re.sub(rb"(?i)host: [^\r]*", host, head) + b"\r\n\r\n" + body)
            passed = 0
            while True:
                piece = server.recv(65536)
                if not piece:
                    return
                if cut is not None and passed + len(piece) >= cut:
                    client.sendall(piece[: cut - passed])
                    return
                client.sendall(piece)
                passed += len(piece)


def macrostep(*arguments):
    """The program's output."""
    return subprocess.run([BINARY, *arguments], check=True, capture_output=True, timeout=120).stdout
