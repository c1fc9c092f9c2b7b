"""The app's server as a process of its own, on a free port."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from pages.shared.room.room import SETTING
from tests.stand_ins import free_port

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 120.0
READY = 60.0  # seconds until a server has printed how to come in


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
            self._process.wait(60)  # a busy machine takes its time
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


class ClassServer(Server):
    """The server of a class.

    Attributes
    ----------
    join, present : str
        The two links by which one comes in, below its address.
    """

    def __enter__(self) -> Self:
        os.environ[SETTING] = "1"
        try:
            super().__enter__()
        finally:
            del os.environ[SETTING]
        ends = time.monotonic() + READY
        while "presenter's link" not in (told := self._log.read_text(encoding="utf-8")):
            assert time.monotonic() < ends, told
            time.sleep(0.1)
        code, key = re.search(r"Code: (\w+)", told), re.search(r"key=(\S+)", told)
        assert code is not None
        assert key is not None
        self.join, self.present = f"room/join?key={code[1]}", f"room/present?key={key[1]}"
        return self
