"""A site: its numbers are those of the paths, its files are small, complete and hold nothing else of the data."""

import base64
import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from core.analysis.fitting import Fitting
from core.data import DataError, Dataset, Fold, RankingData
from core.data.reading import open_dataset
from core.export.saved import lesson as saved
from core.export.saved.lesson import LessonPaths, shown_page, site_lesson
from core.export.saved.site import site_files, site_of
from core.figures.browser.drawing_code import BUNDLE
from core.figures.lessons.guess import gap_figure, gap_sentence, scale
from core.lessons import ORDER, Choice, Curve, LessonResults, Number, Order, answer, lesson
from core.methods import get_method
from core.metrics.measures import telling_measures
from core.names.numbers import short
from tests.cases import sweep

SETS = (("python-docs", ("l1", "log")), ("planted", ("l1", "mcp")))
IN_THE_PROGRAM = {
    "numbers?", "penalties?part=Several+starts&method=l0.5", "query", "similarity",
    "similarity&data_similarity=pearson", "rivals&alternatives_k=4",
}  # fmt: skip
VIEWS = {"lab", "path", "features", "tradeoff", "fit"}


@cache
def files(dataset: str, methods: tuple[str, ...]) -> Mapping[str, bytes]:
    return dict(site_files([site_of(open_dataset(dataset), [1], methods)], "sparse-ranking-lab site <mine>"))


def held(content: bytes) -> dict[str, Any]:
    """What a file of data holds, before anything of a pool is put in its place."""
    found = re.search(rb'="(.*)";', content)
    return dict(json.loads(gzip.decompress(base64.b64decode(found[1]))))


def pages(made: Mapping[str, bytes], name: str, *others: str) -> dict[str, Any]:
    """The pages of a file, with what it has in its own pool and in those of others in its place."""
    every = [held(made[f"{one}.js"]) for one in (*others, name)]
    pool = {key: value for one in every for key, value in one["pool"].items()}

    def whole(value: Any) -> Any:
        if isinstance(value, dict):
            return whole(pool[value["$"]]) if "$" in value else {key: whole(one) for key, one in value.items()}
        return [whole(one) for one in value] if isinstance(value, list) else value

    return dict(whole(every[-1]["pages"]))


def drag_of(page: Mapping[str, Any]) -> dict[str, Any]:
    """Of the picture with the handle, of which there is one."""
    (drag,) = (one["drag"] for one in page["pictures"] if one["drag"] and one["drag"]["marks"])
    return dict(drag)


@pytest.mark.parametrize(("dataset", "methods"), sweep(SETS))
def test_every_number_of_every_model_is_that_of_the_path(dataset: str, methods: tuple[str, ...]) -> None:
    opened, made = open_dataset(dataset), files(dataset, methods)
    for method in methods:
        how = Fitting.on(opened.fold(1), get_method(method), {}, opened.convention)
        points = list(how.path())
        found = pages(made, f"data/1-{dataset}/fold1/{method}")
        assert {*found} == VIEWS
        for view, page in found.items():
            drag = drag_of(page)
            places = np.frombuffer(base64.b64decode(drag["c"]["bdata"]), "<f8")
            for point in points:
                fit, (frame,) = point.fit, np.flatnonzero(np.isclose(places, point.fit.c, rtol=1e-12))
                told = {name: texts["at"][frame] for name, texts in drag["readings"].items()}
                assert told["C"] == short(fit.c), view
                assert told["features"] == f"{fit.result.nonzero} of {len(fit.weights)}"
                for measure in telling_measures(how.judge.fold.train)[:2]:
                    for part, word in (("train", "training"), ("vali", "validation"), ("test", "test")):
                        assert told[f"{measure}, {word}"] == f"{point.metrics[part][measure]:.4f}"
                kept = [f"{fit.feature_names[j]} {fit.weights[j]:+.3g}" for j in fit.selected]
                assert not kept or all(one in page["beneath"].replace("&#39;", "'") for one in kept)
            assert page["beneath"].count("<tr>") == 2 * (len(points) + 1)


def test_a_file_with_a_method_beside_holds_only_what_the_files_of_both_do_not() -> None:
    made, place = files(*SETS[0]), "data/1-python-docs/fold1"
    for ids in permutations(SETS[0][1]):
        name = f"{place}/{'~'.join(ids)}"
        assert len(made[f"{name}.js"]) < 60_000
        found = pages(made, name, *(f"{place}/{one}" for one in ids))
        assert {*found} == VIEWS
        titles = {get_method(one).title for one in ids}
        assert all(title in found["lab"]["html"] + json.dumps(found["lab"], ensure_ascii=False) for title in titles)


def test_it_is_small_and_asks_nobody() -> None:
    made = files(*SETS[0])
    index = made["index.html"].decode()
    assert made["plotly-basic.min.js"] == BUNDLE.read_bytes()
    assert "&lt;mine&gt;" in index
    assert "default-src 'none'" in index
    assert not re.search(r'(src|href)="(?!data:|#|plotly-basic\.min\.js)', index)
    first = [made["index.html"], made["plotly-basic.min.js"], made["data/1-python-docs/fold1/l1.js"]]
    assert sum(len(gzip.compress(one)) for one in first) < 1_500_000
    data = {f"data/1-python-docs/fold1/{name}.js" for name in ("l1", "log", "l1~log", "log~l1")}
    assert {*made} == {"index.html", "plotly-basic.min.js"} | data


def mine(_: int) -> Fold:
    """A fold in which the top irrelevant document keeps any linear model of the infinite push empty."""
    data = RankingData.build(
        np.tile([[1.0, 0.3], [2.0, 0.2], [3.0, 0.1], [0.0, 0.1]], (6, 1)),
        np.tile([1, 0, 1, 0], 6),
        np.arange(0, 25, 4),
        query_ids=[f"secret-q{k}" for k in range(6)],
        document_ids=[f"secret-d{k}" for k in range(24)],
    )
    return Fold("Fold1", data, vali=data, test=data)


def test_it_has_no_query_and_no_document_and_says_which_method_cannot_learn() -> None:
    dataset = Dataset(name="<i>mine", fold_names=("Fold1",), provenance="", convention="standard", load=mine)
    made = dict(site_files([site_of(dataset, methods=("l1", "infinite-push-l1"))], ""))
    text = made["index.html"].decode()
    assert "infinite push ℓ1 is not here: the empty model is optimal at every λ" in text
    assert "<i>mine" not in text
    text += "".join(json.dumps(held(one), ensure_ascii=False) for name, one in made.items() if "data/" in name)
    assert "feature 1" in text
    assert "secret-" not in text
    with pytest.raises(DataError):
        list(site_of(dataset, methods=("infinite-push-l1",)).folds)


GUESSES: Mapping[type, Any] = {
    Choice: lambda asked: range(len(asked.options)),
    Number: scale,
    Order: lambda asked: permutations(range(len(asked.items))),
    Curve: lambda asked: [tuple(asked.high - 0.1 * k for k, _ in enumerate(asked.x))],
}


@pytest.mark.parametrize("name", ["bias", "zeros"])
def test_a_lesson_is_told_and_drawn_for_every_guess_as_the_app_does(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(saved, "shown_page", lambda *_: None)
    of = lesson(name)
    facts = LessonResults.of(of).made()
    for step, sent in zip(of.steps, site_lesson(of, facts, LessonPaths())["steps"], strict=True):
        asked = step.predict
        if asked is None:
            continue
        value = answer(step, facts).value
        assert sent["result"] == gap_sentence(asked, None, value)
        for k, guess in enumerate(GUESSES[type(asked)](asked)):
            figure = gap_figure(asked, guess, value)
            if figure is None:
                assert f"Your prediction: {sent['said'][k]}." == gap_sentence(asked, guess, None)
                continue
            drawn, expected = _guessed(sent, asked, guess, k), json.loads(figure.to_json())["data"]
            for one, other in zip(drawn, expected, strict=True):
                assert [*map(float, one["x"])] == [*map(float, other["x"])]
                assert [*map(float, one["y"])] == [*map(float, other["y"])]
                assert one.get("text") == other.get("text")
                assert one.get("line") == other.get("line")


def test_what_a_step_speaks_of_is_shown_with_it_or_is_in_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LessonPaths, "page", lambda *_: None)
    shown, paths = {}, LessonPaths()
    for name in ORDER:
        of = lesson(name)
        for address in {step.show for step in of.steps} | {step.reveal for step in of.steps}:
            view, _, section = address.partition("?")
            if (view not in VIEWS or "_section" in section) and "=stability" not in address:
                shown[address] = shown_page(of, address, paths)
    missing = {re.sub(r"dataset=[\w-]+&fold=\w+&?", "", address) for address, page in shown.items() if page is None}
    assert {found.partition("section=")[2] or found for found in missing - {""}} == IN_THE_PROGRAM
    sent = [picture for page in shown.values() if page for picture in page["pictures"]]
    basic = {trace.get("type", "scatter") for picture in sent for trace in picture["figure"]["data"]}
    assert basic <= {"scatter", "bar"}, "what the site's plotly draws"
    (drawn,) = [page for address, page in shown.items() if "planted" in address and "l1&prox_step=0.5" in address]
    assert [len(drawn["pictures"]), drawn["html"].count('class="picture"')] == [3, 3]
    (wrong,) = [page for address, page in shown.items() if "numbers_scores=2%2C5%2C4" in address]
    cells = re.findall(r"<t[dh][^>]*>([\d.]+)</t[dh]>", wrong["html"])
    assert cells[:15] == [*"115", *"214", *"303", *"422", *"501"], "place, relevance and score, the highest first"
    assert cells[15] == "0.9167", "MAP of relevant documents at the places 1, 2 and 4"
    (top,) = [page for address, page in shown.items() if address.startswith("top") and "toy" in address]
    assert "<b>76 of 500 positives score above every negative" in top["html"], "as on the page Top"


def _guessed(sent: Mapping[str, Any], asked: Any, guess: Any, k: int) -> Any:
    """As ``site_lessons.js`` fills in a guess."""
    drawn = json.loads(json.dumps(sent["gap"]["figure"]["data"]))
    match asked:
        case Number():
            drawn[0]["x"][0] = drawn[1]["x"][0] = guess
            drawn[1]["text"] = [sent["marks"][k]]
        case Curve():
            drawn[0]["y"] = list(guess)
        case Order():
            return [lines[guess.index(item)] for lines, item in zip(sent["lines"], sent["order"], strict=True)]
    return drawn
