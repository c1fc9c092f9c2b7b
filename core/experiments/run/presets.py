"""Presets: the methods and settings of a paper's table, with the measure by which the paper chose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.experiments.run.cells import MethodChoice

FS_RANK_SIZES = (5, 10, 15, 20, 25)


@dataclass(frozen=True)
class Preset:
    """The rows of a paper's table that the protocol computes."""

    name: str  # name on the command line
    title: str  # a few words
    source: str  # paper and table
    labels: tuple[str, ...]  # labels for `MethodChoice.parse`, in the order of the table
    measure: str  # measure by which the paper chooses on the validation part
    help: str  # what the rows show, and what the paper leaves open

    @property
    def choices(self) -> tuple[MethodChoice, ...]:
        """The rows as choices of methods."""
        return tuple(MethodChoice.parse(label) for label in self.labels)


PRESETS: tuple[Preset, ...] = (
    Preset(
        "fsmrank-table1",
        "FSMRank, Table I",
        "Lai et al. 2013 (FSMRank), Table I",
        ("gas-e", "fsmsvm", "fsmrank"),
        "MAP",
        "FSMRank and two methods that choose features first. The paper chooses t of those by MAP (its Remark 1); that "
        "λ₁ and λ₂ of FSMRank were chosen by NDCG@10 is said by Laporte et al. (2014, Section V-C). A run has one "
        "measure for all rows.",
    ),
    Preset(
        "fsmrank-table3",
        "FSMRank, Table III",
        "Lai et al. 2013 (FSMRank), Table III and Section IV-D.3",
        ("fsmrank:lambda1=0:importance=none", "fsmrank:lambda1=0", "fsmrank:similarity=none", "fsmrank"),
        "NDCG@10",
        "What importance and similarity bring. The first two rows are the table's: λ₁ = 0, with s = 1 and with s from "
        "the correlations. The last two compare A = I with A from the correlations, in words only in the paper, which "
        "sets λ₂ = 0 for that; here λ₂ > 0 is chosen as usual, and s is from the correlations. That NDCG@10 chose is "
        "said by Laporte et al. (2014, Section V-C).",
    ),
    Preset(
        "fenchelrank-table5",
        "FenchelRank, Table 5",
        "Lai et al. 2013 (FenchelRank), Tables 4 and 5",
        ("tgrank", "rsrank", "fenchelrank"),
        "NDCG@10",
        "Three sparse learners; r of FenchelRank is chosen among 1, 2, 4, …, the C of the others on grids of our own.",
    ),
    Preset(
        "fenchelrank-table7",
        "FenchelRank, Table 7",
        "Lai et al. 2013 (FenchelRank), Table 7, Section 8.5.2",
        (*(f"fs-rank:k={k}" for k in FS_RANK_SIZES), "l2", "fenchelrank"),
        "NDCG@10",
        "The k features that rank best alone, then RankSVM-Primal on those, compared with RankSVM-Primal on all "
        "features and FenchelRank.",
    ),
)
_BY_NAME = {preset.name: preset for preset in PRESETS}


def find_preset(name: str) -> Preset | None:
    """Return the preset of that name; None if there is none."""
    return _BY_NAME.get(name.strip())


def parse_rows(texts: Iterable[str]) -> tuple[MethodChoice, ...]:
    """Parse rows of the command line, each a method with settings or a preset's name; repeated ones count once.

    Raises
    ------
    ValueError
        If there is no such method, parameter or preset, or a value is out of range.
    """
    rows: list[MethodChoice] = []
    for text in texts:
        preset = find_preset(text)
        rows += [MethodChoice.parse(text)] if preset is None else preset.choices
    return tuple(dict.fromkeys(rows))
