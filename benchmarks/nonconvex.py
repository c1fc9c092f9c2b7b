"""Concave penalties against ℓ1 at the same λ: reweighting inside the Newton step should cost little more."""

from __future__ import annotations

from functools import partial

from benchmarks.pairing import Ratio, take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, generate
from benchmarks.threads import limited_to
from core.methods import Fit, Training, get_method
from core.solvers import Stop

CONCAVE = ("log", "mcp", "l0.5", "scad")
SHARES = (0.1, 0.01, 0.001)
ROUNDS = 5
GOAL = 3.0


def run(threads: int | None) -> Report:
    """Every method with its default parameters and solver, cold start, tolerance 1e-6."""
    training = get_method("l1").training(generate(TD2004))
    rows: list[tuple[str, str, float, str, int, int]] = []
    ratios: dict[tuple[str, float], Ratio] = {}
    with limited_to(threads) as used:
        for share in SHARES:
            times = take_turns({name: partial(_fit, training, name, share) for name in ("l1", *CONCAVE)}, ROUNDS)
            for name, fit in times.results.items():
                ratios[name, share] = times.ratio(name, "l1")
                shown = "" if name == "l1" else str(ratios[name, share])
                milliseconds = 1e3 * times.median(name)
                rows.append((f"{share:g}", name, milliseconds, shown, fit.result.steps, fit.result.nonzero))
    return Report(
        title="Concave penalties against ℓ1, proximal Newton, cold start",
        setting=f"{TD2004}; {used}; {ROUNDS} rounds",
        columns=(
            Column("λ/λ_max"),
            Column("method"),
            Column("median, ms", ".0f"),
            Column("ratio to ℓ1 (least-most)"),
            Column("steps", ","),
            Column("features kept", ","),
        ),
        rows=rows,
        goals=[_goal(name, ratios) for name in CONCAVE],
    )


def _fit(training: Training, name: str, share: float) -> Fit:
    return get_method(name).fit(training, training.lam_at(share), stop=Stop(tol=1e-6))


def _goal(name: str, ratios: dict[tuple[str, float], Ratio]) -> Goal:
    worst = max(SHARES, key=lambda share: ratios[name, share].median)
    ratio = ratios[name, worst]
    claim = f"a {name} fit takes at most {GOAL:g}x the ℓ1 fit"
    return Goal(claim, f"at worst {ratio}x, at {worst:g} λ_max", ratio.median <= GOAL)
