"""The app's server as a process of its own, on a free port."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.stand_ins import free_port

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120.0


class Server:
    """``streamlit run app.py``, from entering until leaving. What it prints goes into the file ``log``.

    Attributes
    ----------
    address : str
    seconds_to_health : float
        From its start until it said that it is well.
    """

    root = ROOT
    interpreter: tuple[str, ...] = (sys.executable,)
    program: tuple[str, ...] = ("-m", "streamlit")

    def __init__(self, log: Path) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        self._log = log
        self._looked_at = 0

    def __enter__(self) -> Self:
        port = self.address.rpartition(":")[2]
        words = [*self.interpreter, *self.program, "run", "app.py", "--server.port", port, "--server.headless", "true"]
        # An edit of the code while the tests run must not reload half of it.
        words += ["--server.fileWatcherType", "none"]
        begun = time.monotonic()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(words, cwd=self.root, stdout=log, stderr=subprocess.STDOUT)
        self._wait_until_healthy()
        self.seconds_to_health = time.monotonic() - begun
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.assert_quiet()

    def assert_quiet(self) -> None:
        """No error has reached the server's log since this was asked last: one fault fails one test."""
        written = self._log.read_bytes()
        said = written[self._looked_at :].decode("utf-8", errors="replace")
        self._looked_at = len(written)
        assert "Traceback" not in said, f"the server's log has\n{said[-4000:]}"

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5).close()
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)
        self._process.kill()
        msg = f"the server did not start: {self._log.read_text(encoding='utf-8')}"
        raise RuntimeError(msg)
