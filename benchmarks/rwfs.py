"""RankRWFS-ℓ0 down to a tenth of the features, without pairs, against LIBLINEAR on ready-made pairs."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.l1 import LIBLINEAR, Pairs
from benchmarks.pairing import take_turns
from benchmarks.report import Column, Goal, Report
from benchmarks.shapes import TD2004, FloatArray, generate
from benchmarks.threads import limited_to
from core.data import RankingData
from core.methods import get_method

SHARE_OF_LAM_MAX = 0.01
SHARE_KEPT = 0.1
ROUNDS = 3
GOAL = 20.0
OURS = ("rwfs-l0", "l2-arom", "rwfs-l1")


def run(threads: int | None) -> Report:
    """All at one λ and on one thread, as LIBLINEAR has no more."""
    data = generate(TD2004)
    training = get_method("l1").training(data)
    lam = training.lam_at(SHARE_OF_LAM_MAX)
    pairs, c = Pairs.of(data), training.c_of(lam)
    ways = {method: partial(_reweighted, method, data, lam) for method in OURS}
    ways |= {name: partial(pairs.fit, c, tol) for name, tol in LIBLINEAR.items()}
    with limited_to(1) as used:
        ways[OURS[0]]()
        times = take_turns(ways, ROUNDS, warm_up=False)
    fastest = OURS[0]
    return Report(
        title=f"At most {SHARE_KEPT:.0%} of the features at λ_max/{1 / SHARE_OF_LAM_MAX:g}, loss object included",
        setting=f"{TD2004}; {used}; {ROUNDS} rounds; LIBLINEAR: the ℓ1 model of the same λ",
        columns=(
            Column("method"),
            Column("median, s", ".3g"),
            Column(f"ratio to {fastest} (least-most)"),
            Column("features kept", ","),
        ),
        rows=[
            (
                name,
                times.median(name),
                "" if name == fastest else str(times.ratio(name, fastest)),
                int(np.count_nonzero(w)),
            )
            for name, w in times.results.items()
        ],
        goals=[
            Goal(
                f"{fastest} to {SHARE_KEPT:.0%} at least {GOAL:g}x as fast as {name} on ready-made pairs",
                f"{times.ratio(name, fastest)}x",
                times.ratio(name, fastest).median >= GOAL,
            )
            for name in LIBLINEAR
        ],
    )


def _reweighted(method_id: str, data: RankingData, lam: float) -> FloatArray:
    method = get_method(method_id)
    return method.fit(method.training(data), lam, parameters={"share": SHARE_KEPT}).weights
