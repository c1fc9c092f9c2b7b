"""Tables IV, V and VI of Laporte et al. (2014) for any run: the printed form, and the numbers with every digit.

And a table with one row a method: our numbers beside every published number made alike.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import mean
from typing import Any

from core.experiments.results.caveats import caveat_numbers, caveats_note, signs
from core.experiments.results.choice_comparison import DEFAULT_MARGIN
from core.experiments.results.comparison import Compared, against_best, p_text
from core.experiments.results.printed_table import Entry, Table, grid
from core.experiments.results.published.beside_published import BesidePublished, beside_published, chosen_by, made_alike
from core.experiments.results.published.numbers import printed_choices
from core.experiments.results.statistics import LEVEL
from core.experiments.results.summary import MethodLine, measure_columns, tied_measures
from core.experiments.results.training_draws import training_numbers
from core.names.plain import in_file_name

NAMES = {"MAP": ("table5-map", "V"), "NDCG@10": ("table6-ndcg10", "VI")}
MEAN = "mean"


def sparsity_table(lines: Sequence[MethodLine], titles: Mapping[str, str]) -> Table:
    """Make Table IV: sparsity ratio ± standard deviation over folds, and the paper's value in brackets.

    The mean over datasets covers the methods that have every dataset.

    Parameters
    ----------
    lines : sequence of MethodLine
    titles : mapping
        A method's name for people, by its label.
    """
    published = _published(lines, "sparsity ratio")
    datasets, labels = _sides(lines)
    entries = {(line.dataset, line.choice.label): _sparsity_entry(line, published) for line in lines}
    means = _means(lines, datasets) if len(datasets) > 1 else {}
    for label, value in means.items():
        entries[MEAN, label] = Entry(f"{value:.2f}", mark="best" if value == min(means.values()) else "")
    for dataset in datasets:
        complete = [line for line in lines if line.dataset == dataset and line.complete]
        ratios = [ratio for ratio in (line.sparsity_ratio.mean for line in complete) if ratio > 0.0]
        for line in complete:
            if line.sparsity_ratio.mean == min(ratios, default=None):
                entries[_key(line)] = entries[_key(line)].marked("best")
    return Table(
        name="table4-sparsity-ratio",
        title="Sparsity ratio (Table IV of Laporte et al. 2014)",
        note="Features kept, as a share of those that are not zero everywhere: mean ± standard deviation over folds ± "
        "standard deviation of the mean by choice, when the validation queries are resampled. Smaller is sparser; "
        "the smallest of a dataset that keeps anything is bold. In brackets: the value that the paper printed, "
        "beside rows that have its settings (MCP: γ = 2) and whose C was chosen by its measure, MAP."
        f"{caveats_note(lines, titles)}",
        **grid([*datasets, *([MEAN] if means else [])], labels, titles, entries),
        numbers=tuple(_sparsity_number(line, published) for line in lines),
    )


def quality_table(
    lines: Sequence[MethodLine], measure: str, titles: Mapping[str, str], compared: Sequence[Compared] | None = None
) -> Table:
    """Make Table V (MAP) or VI (NDCG@10): the best of every dataset, and how far below it the others are.

    The paper prints the best value and significant decreases only, and ~ for all others; here every value is printed.

    Parameters
    ----------
    lines : sequence of MethodLine
    measure : {"MAP", "NDCG@10"}
    titles : mapping
        A method's name for people, by its label.
    compared : sequence of Compared, optional
        The result of `against_best`; computed by default.
    """
    found = {
        (one.dataset, one.method): one
        for one in (against_best(lines) if compared is None else compared)
        if one.measure == measure
    }
    (name, numeral), conventions = NAMES[measure], ", ".join(dict.fromkeys(line.convention for line in lines))
    margin = next((one.margin for one in found.values()), DEFAULT_MARGIN)
    datasets, labels = _sides(lines)
    best = {one.dataset: one.reference for one in found.values()}
    entries = {
        (line.dataset, line.choice.label): _quality_entry(line, measure, best, found.get(_key(line))) for line in lines
    }
    return Table(
        name=name,
        title=f"{measure} on the test parts (Table {numeral} of Laporte et al. 2014)",
        note=f"{conventions} convention, mean over folds. The best of a dataset is bold. ~: no "
        f"significant decrease against it; otherwise the decrease in per cent and p, where p < {LEVEL:g}: the "
        "papers' paired one-sided t-test over the test queries of all folds, not corrected for the number of "
        "methods. Which method is best was seen in the same queries, which flatters the difference. With the "
        "choice: two-sided, with the validation queries resampled and C chosen again, which the papers' test "
        f"leaves out. Equivalent: with the choice, the 90 % interval of the difference lies within ± {margin:g}; "
        "different: the 95 % interval excludes 0. Where neither holds, ~ is undecided, and no equality."
        f"{_ties(lines, measure)}{caveats_note(lines, titles)}",
        **grid(datasets, labels, titles, entries),
        numbers=tuple(
            _quality_number(line, measure, best, found.get(_key(line)), tied_measures(lines)) for line in lines
        ),
    )


def _sides(lines: Sequence[MethodLine]) -> tuple[list[str], list[str]]:
    datasets = list(dict.fromkeys(line.dataset for line in lines))
    return datasets, list(dict.fromkeys(line.choice.label for line in lines))


def _key(line: MethodLine) -> tuple[str, str]:
    return line.dataset, line.choice.label


def _ties(lines: Sequence[MethodLine], measure: str) -> str:
    if not any(line.printed(measure).endswith("*") for line in lines):
        return ""
    return " *: tied documents in the order of the file; the mean over their orders, which tests compare, is another."


def _partly(line: MethodLine) -> str:
    """Say how much of an unfinished line is there."""
    return "" if line.complete else f"{len(line.results)} of {line.n_folds} folds"


def _published(lines: Sequence[MethodLine], measure: str) -> dict[tuple[str, str], BesidePublished]:
    return {(row.dataset, row.method): row for row in made_alike(lines) if row.measure == measure}


def _means(lines: Sequence[MethodLine], datasets: Sequence[str]) -> dict[str, float]:
    """Average over all datasets, for the methods that are complete on every one."""
    ratios: dict[str, list[float]] = {}
    for line in lines:
        if line.complete:
            ratios.setdefault(line.choice.label, []).append(line.sparsity_ratio.mean)
    return {label: mean(values) for label, values in ratios.items() if len(values) == len(datasets)}


def _by_choice_numbers(line: MethodLine, measure: str) -> dict[str, float | None]:
    found = line.by_choice(measure)
    return {
        "deviation_by_choice": None if found is None else found.deviation,
        "deviation_by_choice_error": None if found is None else found.deviation_error,
    }


def _sparsity_entry(line: MethodLine, published: Mapping[tuple[str, str], BesidePublished]) -> Entry:
    ratio, printed = line.sparsity_ratio, published.get(_key(line))
    aside = f"({printed.published:.2f})" if printed else _partly(line)
    again = line.by_choice("sparsity ratio")
    by_choice = "" if again is None else f" ± {again.deviation:.2f}"
    return Entry(f"{ratio.words(2)}{by_choice}{signs(line)}", aside)


def _sparsity_number(line: MethodLine, published: Mapping[tuple[str, str], BesidePublished]) -> dict[str, Any]:
    printed = published.get(_key(line))
    return {
        "dataset": line.dataset,
        "method": line.choice.label,
        "folds": len(line.results),
        "sparsity_ratio": line.sparsity_ratio.mean,
        "deviation": line.sparsity_ratio.deviation,
        **_by_choice_numbers(line, "sparsity ratio"),
        **training_numbers(line.draws, "sparsity ratio"),
        "features": line.n_features.mean,
        **caveat_numbers(line),
        "published": printed.published if printed else None,
        "difference": printed.difference if printed else None,
        "within_choice": printed.within if printed else None,
        "source": printed.source if printed else None,
    }


def _quality_entry(line: MethodLine, measure: str, best: Mapping[str, str], against: Compared | None) -> Entry:
    text = f"{line.printed(measure)}{signs(line)}"
    if not line.complete:
        return Entry(text, _partly(line))
    if against is None:
        return Entry(text, mark="best" if best.get(line.dataset, line.choice.label) == line.choice.label else "")
    if not against.significantly_worse:
        return Entry(text, f"~ {against.verdict}".strip())
    percent = "" if against.found.decrease_percent is None else f"−{against.found.decrease_percent:.1f} %, "
    p = p_text(against.found.t_test_p)
    again = "" if against.again is None else f", with the choice p {_equal(p_text(against.again.p))}: {against.verdict}"
    return Entry(text, f"{percent}p {_equal(p)}{again}", "worse")


def _equal(p: str) -> str:
    return p.replace("<", "< ") if p.startswith("<") else f"= {p}"


def _quality_number(
    line: MethodLine, measure: str, best: Mapping[str, str], against: Compared | None, tied: Collection[str]
) -> dict[str, Any]:
    return {
        "dataset": line.dataset,
        "method": line.choice.label,
        "folds": len(line.results),
        "convention": line.convention,
        **measure_columns(measure, line.official(measure).mean, line.measure(measure).mean, tied),
        "deviation": line.official(measure).deviation,
        **_by_choice_numbers(line, measure),
        **training_numbers(line.draws, measure),
        **caveat_numbers(line),
        "best": best.get(line.dataset, line.choice.label if line.complete else ""),
        "decrease_percent": against.found.decrease_percent if against else None,
        "t_test_p": against.found.t_test_p if against else None,
        "t_test_holm": against.t_test_holm if against else None,
        "randomization_p": against.found.randomization_p if against else None,
        "randomization_holm": against.randomization_holm if against else None,
        "choice_too_p": against.again.p if against and against.again else None,
        "choice_too_holm": against.again_holm if against else None,
        "choice_too_inner_low": against.again.inner[0] if against and against.again else None,
        "choice_too_inner_high": against.again.inner[1] if against and against.again else None,
        "margin": against.margin if against else None,
        "verdict": against.again.verdict(against.margin) if against and against.again else None,
        "significantly_worse": against.significantly_worse if against else None,
    }


MEASURES: Mapping[str, int] = {"MAP": 4, "NDCG@10": 4, "sparsity ratio": 2, "share of features": 2}
"""The compared measures, with their number of digits."""
ALWAYS = ("MAP", "NDCG@10", "sparsity ratio")
"""Measures that always have a column, even without published numbers."""
NOT_PRINTED = NOT_KNOWN = "–"
BY_CHOICE = "± by choice"
WITHIN = {True: " within", False: " not within", None: ""}
"""The mark of a published number: whether choosing C again explains the difference of ours."""
AS_PRINTED, OURS = "as printed", "ours"


def reproduced_table(lines: Sequence[MethodLine], dataset: str, titles: Mapping[str, str]) -> Table | None:
    """Make the table of a dataset's complete lines beside published numbers made alike; None if there are none.

    Made alike means: the settings that the paper prints, C chosen by the paper's measure, counted by its convention. If
    several papers print a number, all are shown, each with the letter of its source.

    Parameters
    ----------
    lines : sequence of MethodLine
        Lines of one run, so that one measure chose all of them.
    dataset : str
    titles : mapping
        A method's name for people, by its label.
    """
    complete = [line for line in lines if line.dataset == dataset and line.complete]
    found = [row for row in beside_published(complete) if row.measure in MEASURES]
    printed = [row for row in found if not row.unlike]
    if not printed:
        return None
    measure = chosen_by(complete[0])
    letters = {paper: f"[{chr(ord('a') + k)}]" for k, paper in enumerate(dict.fromkeys(row.paper for row in printed))}
    columns = [name for name in MEASURES if name in ALWAYS or any(row.measure == name for row in printed)]
    heads = [head for name in columns for head in (name, f"{name} {BY_CHOICE}", f"{name} published")]
    return Table(
        name=f"reproduced-{in_file_name(dataset)}-by-{in_file_name(measure)}",
        title=f"{dataset}: reproduced and published, C chosen by {measure}",
        note=_note(complete[0], found, measure, letters),
        head=("method", "settings", *heads),
        rows=tuple(_row(line, printed, letters, titles, columns) for line in complete),
        numbers=tuple(row.record() for row in printed),
    )


def _note(line: MethodLine, found: Sequence[BesidePublished], measure: str, letters: Mapping[str, str]) -> str:
    """Describe the numbers: their kind, the papers, what the papers leave open, and which methods are missing."""
    sources = "; ".join(f"{letter} {paper}" for paper, letter in letters.items())
    sentences = [
        f"Means over {line.n_folds} folds on the test parts, C chosen by validation {measure}, {line.convention} "
        "convention; ours ± standard deviation over folds. ± by choice: standard deviation of the mean when the "
        "validation queries are resampled and C is chosen again. Within: ours differs from the published number by "
        "no more than nineteen in twenty pairs of such choices do.",
        f"Settings: {AS_PRINTED} where a paper has a row with the same settings, as far as it prints them; "
        f"otherwise {OURS}.",
        f"Published, and chosen by {measure} as well: {sources}.",
    ]
    opened: dict[str, list[str]] = {}
    for row in found:
        if not row.unlike and row.open:
            systems = opened.setdefault(f"{letters[row.paper]} {row.open}", [])
            systems += [row.system] if row.system not in systems else []
    if opened:
        words = "; ".join(f"{what} ({', '.join(systems)})" for what, systems in opened.items())
        sentences.append(f"Not printed, so ours: {words}.")
    elsewhere: dict[str, list[str]] = {}
    for row in found:
        if row.unlike:
            systems = elsewhere.setdefault(f"{row.paper} ({row.unlike})", [])
            systems += [row.system] if row.system not in systems else []
    if elsewhere:
        words = "; ".join(f"{', '.join(systems)} of {where}" for where, systems in elsewhere.items())
        sentences.append(f"Printed, but made differently, so not compared with ours: {words}.")
    return " ".join(sentences)


def _row(
    line: MethodLine,
    printed: Sequence[BesidePublished],
    letters: Mapping[str, str],
    titles: Mapping[str, str],
    columns: Sequence[str],
) -> tuple[Entry, ...]:
    label = line.choice.label
    entries = [Entry(titles.get(label, label)), Entry(AS_PRINTED if line.choice in printed_choices() else OURS)]
    for measure in columns:
        digits = MEASURES[measure]
        theirs: dict[tuple[str, str], list[str]] = {}
        for row in printed:
            if (row.method, row.measure) == (label, measure):
                sources = theirs.setdefault((f"{row.published:.{digits}f}", WITHIN[row.within]), [])
                sources += [letter for letter in [letters[row.paper]] if letter not in sources]
        words = ", ".join(f"{value} {''.join(sources)}{mark}" for (value, mark), sources in theirs.items())
        noise = line.by_choice(measure)
        again = NOT_KNOWN if noise is None else f"{noise.deviation:.{digits}f}"
        entries += [Entry(line.official(measure).words(digits)), Entry(again), Entry(words or NOT_PRINTED)]
    return tuple(entries)
