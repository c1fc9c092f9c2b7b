"""The command ``audit``: this program's answers on one's own data beside independent ones."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from core.cli.options import PartlyFailedError
from core.cli.reading import add_data, reading_of
from core.cli.terminal import shown_on_the_way, table_text

if TYPE_CHECKING:
    from core.analysis.audit.independent import Check, NotCompared

_ALLOWED = {"equal": "± ", "at most": "≤ +", "at least": "≥ -"}


def add_audit(parser: ArgumentParser) -> None:
    """Give the command its options."""
    add_data(parser)


def audit(options: Namespace) -> tuple[dict[str, Any], str]:
    """Compare, and return the record and the page.

    Raises a `PartlyFailedError` if an answer differs from the independent one by more than is allowed.
    """
    from core.analysis.audit.audit import Audit
    from core.analysis.audit.independent import Check, NotCompared

    dataset = reading_of(options).open(options.data)
    convention = options.convention or dataset.convention
    work = Audit.of(dataset.fold(options.fold), convention)
    found = list(shown_on_the_way(work.found(), Audit.ABOUT, "comparisons"))
    checks = [one for one in found if isinstance(one, Check)]
    absent = [one for one in found if isinstance(one, NotCompared)]
    record = {
        "dataset": dataset.name,
        "fold": options.fold,
        "convention": convention,
        "used": work.used,
        "agrees": all(check.agrees for check in checks),
        "checks": [check.record() for check in checks],
        "not_compared": [{"what": one.what, "why": one.why} for one in absent],
    }
    text = _page(record, checks, absent)
    if apart := [check.what for check in checks if not check.agrees]:
        raise PartlyFailedError(record, text, f"{len(apart)} of {len(checks)} answers disagree: {'; '.join(apart)}")
    return record, text


def _page(record: dict[str, Any], checks: list[Check], absent: list[NotCompared]) -> str:
    rows = [
        {
            "what": check.what,
            "here": f"{check.ours:.10g}",
            "independent": f"{check.theirs:.10g}",
            "apart": f"{check.ours - check.theirs:+.1e}",
            "allowed": f"{_ALLOWED[check.relation]}{check.allowed:.1e}",
            "by": check.by,
            "": "agrees" if check.agrees else "DISAGREES",
        }
        for check in checks
    ]
    right = sum(check.agrees for check in checks)
    lines = [
        f"{record['dataset']}, fold {record['fold']}, convention {record['convention']}",
        *record["used"],
        "",
        table_text(rows),
        "",
        f"{right} of {len(checks)} answers agree with independent ones.",
    ]
    if absent:
        lines += ["", "Not compared:", *(f"  {one.what}: {one.why}" for one in absent)]
    return "\n".join(lines)
