"""Sparse learning to rank for notebooks and scripts; the command of the same name is the terminal's and the app's.

Every name is loaded when it is first used::

    from sparse_ranking_lab import fit, open_dataset
    model = fit(open_dataset("python-docs").fold(1), "l1", tune="map")
    model.features

The program's own modules are imported as `core` and `pages`. The folder that holds them is no place where packages are
installed, so that they take no name from anybody else; importing this package puts it on the path of this process and
of those that it starts. A process that unpickles a model imports this package first.
"""

import sys
from importlib.machinery import PathFinder
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SHIPPED = _HERE / "program"
FOLDER = _SHIPPED if _SHIPPED.is_dir() else _HERE.parents[2]
"""The folder of ``app.py``, ``core`` and ``pages``: beside this file where the wheel is installed, or a checkout."""

sys.path.insert(0, str(FOLDER))
try:
    import core
finally:
    sys.path.remove(str(FOLDER))
# Last on the path, so that an `app` or `pages` of the person's own is still found; but first where there is another
# `core`, which processes that take over this path would find.
sys.path.insert(len(sys.path) if PathFinder.find_spec("core") is None else 0, str(FOLDER))

if not Path(core.__path__[0]).resolve().samefile(FOLDER / "core"):
    _message = f"another package named core is in use here ({core.__path__[0]}); import sparse_ranking_lab before it"
    raise ImportError(_message)

__all__ = core.__all__


def __getattr__(name: str) -> object:
    if name not in core.__all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(core, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
