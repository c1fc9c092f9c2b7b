"""Scripts of the pictures of a run of the protocol."""

from __future__ import annotations

from collections.abc import Sequence

from core.export.scripts.description import DataDescription
from core.export.scripts.writing import Code, call, listed, plain_script, read_as


def protocol_script(
    subject: str,
    datasets: Sequence[DataDescription],
    methods: Sequence[str],
    drawn: str,
    name: str,
    *,
    picture: dict[str, object],
    **how: object,
) -> str:
    """Write a script.

    Parameters
    ----------
    subject : str
    datasets : sequence of DataDescription
    methods : sequence of str
        Labels, as the command line has them.
    drawn : str
        The function of `core.api.pictures`.
    name : str
        Of the files that it writes, without their endings.
    picture : dict
        Options of that function.
    how
        Options of `core.api.protocol.run_protocol`.
    """
    read = [
        data.name if (reading := read_as(data.reading)) is None else Code(f"({data.name!r}, {reading})")
        for data in datasets
    ]
    body = [
        f"datasets = {listed(read)}",
        f"run = {call('run_protocol', Code('datasets'), list(methods), **how)}",
        f"picture = {call(f'pictures.{drawn}', Code('run'), **picture)}",
    ]
    imports = ["run_protocol", *(["Reading"] if any(read_as(data.reading) for data in datasets) else [])]
    kept = "Finished pieces are saved where the app saves its own, and are not computed twice."
    return plain_script(subject, body, name, imports=imports, notes=[kept], files=datasets)
