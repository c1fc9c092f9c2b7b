"""An import as work in steps."""

from __future__ import annotations

import io

import pytest

from core.data.imports import importing
from core.work import Work

ROWS = range(3000)
JUDGED = "query,docid,rating\n" + "".join(f"query {row // 20},d{row},{row % 3}\n" for row in ROWS)
LOG = "query,docid,title\n" + "".join(f"query {row // 20},d{row},{row / 7}\n" for row in ROWS)


def test_the_share_rises_step_by_step_and_no_step_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "_STEP_SECONDS", 1e-6)
    out = io.BytesIO()
    work = importing.Import([("log.csv", LOG.encode()), ("judgments.csv", JUDGED.encode())], out)
    assert isinstance(work, Work)
    shares, parts = [work.share], [work.now]
    while not work.done:
        work.advance()
        shares.append(work.share)
        parts.append(work.now)
    assert len(shares) > 50
    assert shares == sorted(shares)
    assert (shares[0], shares[-1], work.seconds_left) == (0.0, 1.0, 0.0)
    assert list(dict.fromkeys(parts)) == ["", "judgments.csv", "log.csv", "writing"]
    assert out.getvalue().count(b"docid") == len(ROWS)
