"""A site: its numbers are those of the paths, its files are small, complete and hold nothing else of the data.

A path saved as a page: one file, with everything that it needs, and names as text.
A finished lesson as a page: all that was asked, guessed and found, in one file, with names as text.
"""

import base64
import gzip
import html
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

from core.analysis.fitting import Fitting
from core.data import DataError, Dataset, Fold, RankingData
from core.data.reading import open_dataset
from core.export.saved import lesson as saved
from core.export.saved.lesson import LessonPaths, saved_lesson, shown_page, site_lesson
from core.export.saved.site import site_files, site_of
from core.export.saved.views import PICTURES, SavedPath, SavedView, options_at, read_options, saved_view
from core.figures.browser.drawing_code import BUNDLE
from core.figures.features.similarity import SimilarityPicture
from core.figures.lessons.guess import gap_figure, gap_sentence, scale
from core.lessons import ORDER, Choice, Curve, LessonResults, Number, Order, answer, lesson, opened
from core.lessons.lesson import Facts
from core.methods import get_method
from core.metrics.measures import telling_measures
from core.models import ModelPath
from core.names.markdown import markdown_html
from core.names.numbers import short
from tests.cases import sweep
from tests.oracles import ranking_problem
from tests.program_pages import EXPECTED

SETS = (("python-docs", ("l1", "log")), ("planted", ("l1", "mcp")))
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


def drag_of(pictures: Sequence[Any]) -> dict[str, Any]:
    """Of the picture with the handle, of which there is one."""
    (drag,) = (one["drag"] for one in pictures if one["drag"] and one["drag"]["marks"])
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
            drag = drag_of(page["pictures"])
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
    drawn: dict[str, set[tuple[str, int | None]]] = defaultdict(set)
    for address, page in shown.items():
        view, _, query = address.partition("?")
        part = re.search(r"_section=([\w+]+)", query)
        drawn[view].add((part[1] if part else "", len(page["pictures"]) if page else None))
        assert page is None or page["html"].count('class="picture"') == len(page["pictures"])
    assert {view: drawn[view] for view in EXPECTED} == {view: row.lessons for view, row in EXPECTED.items()}
    sent = [picture for page in shown.values() if page for picture in page["pictures"]]
    basic = {trace.get("type", "scatter") for picture in sent for trace in picture["figure"]["data"]}
    assert basic <= {"scatter", "bar"}, "what the site's plotly draws"
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


NASTY = "</script><script>alert(1)</script> <b>&"
SAVED_VIEWS: tuple[SavedView, ...] = ("path", "tradeoff", "features", "lab")
COMMAND = "sparse-ranking-lab path 'my data' --html page.html"


@cache
def page(
    method: str = "l1", n_points: int = 8, view: SavedView = "path", beside: str = "", address: str = ""
) -> tuple[ModelPath, str]:
    fold = Fold("Fold1", _named(5, 12), vali=_named(6), test=_named(7))
    lead, *others = (_path(fold, one, n_points) for one in filter(None, (method, beside)))
    options = options_at(view, dict(parse_qsl(address)))
    return lead.path, saved_view(view, lead, others, where="mine <i>, Fold1", options=options, command=COMMAND)


def _path(fold: Fold, method: str, n_points: int) -> SavedPath:
    how = Fitting.on(fold, get_method(method), {}, "standard")
    return SavedPath.of(how, how.path(n_points))


def _named(seed: int, n_queries: int = 8) -> RankingData:
    data = ranking_problem(seed, n_queries=n_queries, n_features=6)
    return data.with_features(data.features, [NASTY, *data.feature_names[1:]])


def sent(text: str) -> list[dict[str, Any]]:
    found = re.search(r'<script type="application/json" id="sent">(.*?)</script>', text, re.DOTALL)
    return list(json.loads(found[1])["pictures"])


@pytest.mark.parametrize("view", SAVED_VIEWS)
def test_it_is_one_small_file_that_asks_nobody(view: SavedView) -> None:
    _, text = page(view=view, beside="log")
    assert len(text.encode()) <= 3_000_000
    assert '<html lang="en">' in text
    assert "<title>ℓ1 on mine &lt;i&gt;, Fold1</title>" in text
    assert "sparse-ranking-lab path &#39;my data&#39; --html page.html" in text, "the command that made it"
    assert not re.search(r'<(script|link|img|iframe)[^>]* (src|href)="(?!data:)', text)
    assert "default-src 'none'" in text


def test_the_handle_has_every_model_and_those_between() -> None:
    path, text = page()
    drag = drag_of(sent(text))
    assert len(drag["label"]["at"]) > len(path.points)
    for point in path.points:
        assert sum(words.endswith(f"{point.fit.result.nonzero} feature" + "s" * (point.fit.result.nonzero != 1))
                   for words in drag["label"]["at"]) >= 1  # fmt: skip
    assert {"C", "features", "gap"} <= set(drag["readings"])


def test_no_model_is_invented_between_those_of_a_penalty_that_is_not_convex() -> None:
    path, text = page("log")
    drag = drag_of(sent(text))
    assert len(drag["label"]["at"]) == len(path.points)
    assert "residual" in drag["readings"]


@pytest.mark.parametrize("view", SAVED_VIEWS)
def test_pictures_of_a_page_move_together(view: SavedView) -> None:
    _, text = page(view=view, beside="log")
    drags = [one["drag"] for one in sent(text)]
    assert len({(drag["link"], json.dumps(drag["c"])) for drag in drags}) == 1


def test_of_what_the_lab_and_the_features_say_every_text_has_a_value_at_each_frame() -> None:
    for view in ("lab", "features"):
        _, text = page(view=view)
        readings = drag_of(sent(text))["readings"]
        named = set(re.findall(r'<(?:b|dd|span) data-reading="([^"]+)"', text))
        assert named == {html.escape(name) for name in readings}
        assert {len(texts["at"]) for texts in readings.values()} == {len(drag_of(sent(text))["label"]["at"])}


@pytest.mark.parametrize("view", SAVED_VIEWS)
def test_names_are_text(view: SavedView) -> None:
    _, text = page(view=view)
    assert "<script>alert(1)" not in text
    if view in ("path", "lab"):  # the names in the others are shortened
        assert NASTY in json.dumps(sent(text), ensure_ascii=False)


@pytest.mark.parametrize("method", ["l1", "mcp", "l2"])
def test_the_tables_have_every_model_and_what_it_keeps_apart_so_that_both_are_whole_on_paper(method: str) -> None:
    path, text = page(method)
    assert text.count("<dd data-reading=") >= 5
    models, kept = text[text.index('<table id="models"') :].split('<table id="kept"')
    assert models.count("<tr>") == kept.count("<tr>") == len(path.points) + 1
    assert 'class="wide"' not in models, "rows of numbers are a line high"
    for point in path.points:
        assert f"{point.metrics['test']['NDCG@10']:.4f}" in models
        for j in np.flatnonzero(point.fit.weights):
            assert f"{point.fit.weights[j]:+.3g}" in kept


def test_a_picture_has_the_options_of_the_apps_page_and_moves_along_its_axis() -> None:
    by_lambda, by_features = (sent(page(address=one)[1])[0] for one in ("", "method=l1&path_over=by+features"))
    for shown, title in ((by_lambda, "λ/λ_max"), (by_features, "features kept")):
        assert title in shown["figure"]["layout"]["xaxis2"]["title"]["text"]
    across = [shown["drag"]["marks"][0]["across"]["at"] for shown in (by_lambda, by_features)]
    assert across[0] != across[1]
    log, linear = (sent(page(view="tradeoff", address=one)[1])[0] for one in ("", "tradeoff_log=false"))
    assert json.dumps(log).count('"log"') > json.dumps(linear).count('"log"')


def test_options_are_read_by_name_or_title_and_others_are_refused() -> None:
    assert read_options("path", {"across": "by penalty λ"}) == {"across": "lambda"}
    assert read_options("tradeoff", {"log_across": "No", "against": "sparsity ratio"}) == {
        "log_across": False, "against": "sparsity ratio",
    }  # fmt: skip
    assert SimilarityPicture.read({"threshold": "0.8"}) == {"threshold": 0.8}
    for view, texts in (("path", {"accross": "features"}), ("path", {"across": "C"}), ("path", {"ratio": "1"}),
                        ("lab", {"across": "features"}), ("features", {"most": "3"})):  # fmt: skip
        with pytest.raises(ValueError, match=next(iter(texts)) if view in PICTURES else "no options"):
            read_options(view, texts)  # type: ignore[arg-type]


LESSONS = ("zeros", "pairs", "hinge", "bias", "choosing", "convergence", "top", "misleading")


LAST_GUESS: Mapping[type, Any] = {
    Choice: lambda asked: len(asked.options) - 1,
    Number: lambda asked: asked.high,
    Order: lambda asked: tuple(range(len(asked.items))),
    Curve: lambda asked: (asked.high,) * len(asked.x),
}


@cache
def facts_of(name: str) -> Mapping[str, Facts]:
    return LessonResults.of(lesson(name)).made()


@pytest.mark.parametrize("name", sweep(LESSONS, always=1))
def test_every_step_has_its_question_the_prediction_the_result_and_numbers_in_place_of_placeholders(name: str) -> None:
    of = lesson(name)
    guesses = {one.number: LAST_GUESS[type(one.predict)](one.predict) for one in of.steps if one.predict is not None}
    facts = facts_of(name)
    text = saved_lesson(of, facts, guesses, opened(of.dataset, of.fold) if of.dataset else None)
    assert len(text.encode()) <= 3_000_000
    assert '<html lang="en">' in text
    assert not re.search(r'<(script|link|img|iframe)[^>]* (src|href)="(?!data:)', text)
    prose = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL)
    said = re.sub(r"<[^>]+>", "", prose).replace("&#39;", "'").replace("&#x27;", "'").replace("&amp;", "&")
    for step in of.steps:
        assert step.title in said
        if step.predict is not None:
            assert step.predict.question in said
            assert gap_sentence(step.predict, guesses[step.number], answer(step, facts).value) in said
    assert "{" not in said
    assert "**" not in said
    assert ">0.0000<" not in text, "a tiny number keeps its digits"


def test_what_was_not_predicted_is_said_so_and_a_path_is_dragged_in_the_end() -> None:
    of = lesson("zeros")
    text = saved_lesson(of, facts_of("zeros"), {}, opened(of.dataset, of.fold))
    assert text.count("You made no prediction.") == sum(step.predict is not None for step in of.steps)
    assert ">None<" not in text
    assert text.count('"marks": [{') + text.count('"marks":[{') == 1
    assert '"marks":[{' not in saved_lesson(of, facts_of("zeros"), {})


def test_a_question_stays_where_its_explanation_has_no_number() -> None:
    of = lesson("zeros")
    one = replace(of, steps=(replace(of.steps[0], explain="{step_l1.absent}", show="", reveal=""),))
    (sent,) = site_lesson(one, facts_of("zeros"), LessonPaths())["steps"]
    assert sent["asked"]["question"]
    assert "No explanation on this data" in sent["explain"]
    assert "No explanation on this data" in saved_lesson(one, facts_of("zeros"), {})


def test_what_a_lesson_says_is_text() -> None:
    of = lesson("zeros")
    nasty = replace(of, title="</title><script>alert(1)</script>", steps=(replace(of.steps[-1], text="<img src=x>"),))
    text = saved_lesson(nasty, facts_of("zeros"), {})
    assert "<script>alert(1)" not in text
    assert "<img" not in text


def test_markdown_is_html_and_all_else_text() -> None:
    assert markdown_html("A **bold** *word*, `x < 1`\n\nand $\\max(0, \\text{gap})$.") == (
        "<p>A <strong>bold</strong> <em>word</em>, <code>x &lt; 1</code></p><p>and <i>max(0, gap)</i>.</p>"
    )
    assert markdown_html("- **A**: ✓\n- B") == "<ul><li><strong>A</strong>: ✓</li><li>B</li></ul>"
    assert markdown_html(r"5 \* 4 \[x\] <b>") == "<p>5 * 4 [x] &lt;b&gt;</p>"
