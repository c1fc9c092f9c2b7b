"""Scripts of the Top of the list page."""

from __future__ import annotations

from collections.abc import Mapping

from core.export.scripts.description import DataDescription
from core.export.scripts.writing import Code, by_name, call, opened, plain_script


def experiment_script(picture: str, *arguments: object, setting: str, subject: str) -> str:
    """Write the script of an experiment that makes its own data; ``picture`` is its function."""
    drawn = call(f"pictures.{picture}", *arguments, setting=setting)
    return plain_script(subject, [f"picture = {drawn}"], picture)


def top_sets_script(sets: Mapping[str, DataDescription], *, setting: str, adjusted: bool) -> str:
    """Write the script of the table of real sets, by their names in it."""
    drawn = call("pictures.top_sets", Code("sets"), setting=setting, adjusted=adjusted)
    body = [f"sets = {by_name({name: opened(data) for name, data in sets.items()})}", f"picture = {drawn}"]
    subject = f"Table 1 of Rakotomamonjy (2012) for {', '.join(sets)}"
    return plain_script(subject, body, "top_table", datasets=list(sets.values()))
