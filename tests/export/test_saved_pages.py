"""A path saved as a page: one file, with everything that it needs, and names as text.

A finished lesson as a page: all that was asked, guessed and found, in one file, with names as text.
"""

import html
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest

from core.analysis.fitting import Fitting
from core.analysis.path_views import FoldPath
from core.data import Fold, RankingData
from core.export.saved.lesson import LessonPaths, saved_lesson, site_lesson
from core.export.saved.views import PICTURES, SavedPath, SavedView, options_at, read_options, saved_view
from core.figures.features.similarity import SimilarityPicture
from core.figures.lessons.guess import gap_sentence
from core.lessons import Choice, Curve, LessonResults, Number, Order, answer, lesson, opened
from core.lessons.declared import Facts
from core.methods import get_method
from core.names.markdown import markdown_html
from tests.cases import sweep
from tests.oracles import ranking_problem

NASTY = "</script><script>alert(1)</script> <b>&"
VIEWS: tuple[SavedView, ...] = ("path", "tradeoff", "features", "lab")
COMMAND = "sparse-ranking-lab path 'my data' --html page.html"


@cache
def page(
    method: str = "l1", n_points: int = 8, view: SavedView = "path", beside: str = "", address: str = ""
) -> tuple[FoldPath, str]:
    fold = Fold("Fold1", _named(5, 12), vali=_named(6), test=_named(7))
    lead, *others = (_path(fold, one, n_points) for one in filter(None, (method, beside)))
    options = options_at(view, dict(parse_qsl(address)))
    return lead.path, saved_view(view, lead, others, where="mine <i>, Fold1", options=options, command=COMMAND)


def _path(fold: Fold, method: str, n_points: int) -> SavedPath:
    how = Fitting.on(fold, get_method(method), {}, "standard")
    return SavedPath.of(how, FoldPath(tuple(how.path(n_points)), fold, "standard"))


def _named(seed: int, n_queries: int = 8) -> RankingData:
    data = ranking_problem(seed, n_queries=n_queries, n_features=6)
    return data.with_features(data.features, [NASTY, *data.feature_names[1:]])


def sent(text: str) -> list[dict[str, Any]]:
    found = re.search(r'<script type="application/json" id="sent">(.*?)</script>', text, re.DOTALL)
    return list(json.loads(found[1])["pictures"])


def drag_of(text: str) -> dict[str, Any]:
    """Of the picture with the handle, of which there is one."""
    (drag,) = (one["drag"] for one in sent(text) if one["drag"]["marks"])
    return dict(drag)


@pytest.mark.parametrize("view", VIEWS)
def test_it_is_one_small_file_that_asks_nobody(view: SavedView) -> None:
    _, text = page(view=view, beside="log")
    assert len(text.encode()) <= 3_000_000
    assert '<html lang="en">' in text
    assert "<title>ℓ1 on mine &lt;i&gt;, Fold1</title>" in text
    assert not re.search(r'<(script|link|img|iframe)[^>]* (src|href)="(?!data:)', text)
    assert "default-src 'none'" in text


def test_the_handle_has_every_model_and_those_between() -> None:
    path, text = page()
    drag = drag_of(text)
    assert len(drag["label"]["at"]) > len(path.points)
    for point in path.points:
        assert sum(words.endswith(f"{point.fit.result.nonzero} feature" + "s" * (point.fit.result.nonzero != 1))
                   for words in drag["label"]["at"]) >= 1  # fmt: skip
    assert {"C", "features", "gap"} <= set(drag["readings"])


def test_no_model_is_invented_between_those_of_a_penalty_that_is_not_convex() -> None:
    path, text = page("log")
    drag = drag_of(text)
    assert len(drag["label"]["at"]) == len(path.points)
    assert "residual" in drag["readings"]


@pytest.mark.parametrize("view", VIEWS)
def test_pictures_of_a_page_move_together(view: SavedView) -> None:
    _, text = page(view=view, beside="log")
    drags = [one["drag"] for one in sent(text)]
    assert len({(drag["link"], json.dumps(drag["c"])) for drag in drags}) == 1


def test_of_what_the_lab_and_the_features_say_every_text_has_a_value_at_each_frame() -> None:
    for view in ("lab", "features"):
        _, text = page(view=view)
        readings = drag_of(text)["readings"]
        named = set(re.findall(r'<(?:b|dd|span) data-reading="([^"]+)"', text))
        assert named == {html.escape(name) for name in readings}
        assert {len(texts["at"]) for texts in readings.values()} == {len(drag_of(text)["label"]["at"])}


@pytest.mark.parametrize("view", VIEWS)
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


def test_it_says_which_command_made_it() -> None:
    _, text = page()
    assert "sparse-ranking-lab path &#39;my data&#39; --html page.html" in text


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


GUESSES: Mapping[type, Any] = {
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
    guesses = {one.number: GUESSES[type(one.predict)](one.predict) for one in of.steps if one.predict is not None}
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
