"""The Top of the list page without a browser."""

import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import path_run
from core.analysis.evaluation import FoldJudge
from core.analysis.top_strips import counts_by_share, lists_with_a_top, shares_over_lists
from core.methods import get_method
from core.metrics import evaluate_ranking
from pages.views.top import page
from tests.app.conftest import MODELS, Open
from tests.app.fitting import (
    all_sent,
    chosen,
    control,
    give,
    headline_of,
    press,
    sent,
    settled,
    step_to,
    unpacked,
    until,
)
from tests.oracles import ranking_problem
from tests.ranking_files import letor_text
from tests.says import assert_says

pytestmark = pytest.mark.usefixtures("all_unfolded", "short_paths")

PUSH = "infinite-push-l1"


LISTS = letor_text(ranking_problem(0, n_queries=40)).encode()


def one_list(documents: int = 120, noise: float = 0.3) -> bytes:
    """A CSV with two classes that overlap, told apart by two of four features."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(documents, 4))
    positive = x[:, 0] + 0.4 * x[:, 1] + noise * rng.normal(size=documents) > 0.5
    rows = [",".join(f"{value:.4f}" for value in row) for row in x]
    return "".join(f"{row},{'active' if up else 'inactive'}\n" for row, up in zip(rows, positive, strict=True)).encode()


def finished(app: AppTest) -> AppTest:
    """Look again until all paths are there, and with them the handle."""
    until(lambda: main_picture(app.run())["drag"] is not None)
    return app


def main_picture(app: AppTest) -> dict[str, Any]:
    return all_sent(app)[0]


def opened(open_app: Open, content: bytes, name: str = "lists.txt", **choice: Any) -> AppTest:
    """The page with a file of one's own; ``choice`` is set as if by hand."""
    app = give(open_app(), (name, content))
    for key, value in choice.items():
        app.session_state[key] = value
    return app.switch_page("pages/top.py").run()


def drawn(app: AppTest, name: str) -> dict[str, Any]:
    """What the page's picture draws, trace by trace."""
    return {trace["name"]: trace for trace in sent(app, name)["figure"]["data"]}


def model(app: AppTest) -> tuple[Any, np.ndarray]:
    """The chosen fold's test part, and the weights at the chosen C."""
    choice = chosen(app)
    fit = choice.method.fit(choice.training, choice.lam, parameters=dict(choice.parameters))
    return choice.fold.parts()["test"], fit.weights


def path_model(app: AppTest, number: int, method_id: str | None = None) -> np.ndarray:
    """The weights of a model of a path, counted from the empty one, worked out by itself."""
    choice = chosen(app)
    method = get_method(method_id or choice.method_id)
    training = method.training(choice.fold.train)
    return method.fit(training, float(path_run.path_grid(method, training)[number])).weights


def frame_of(app: AppTest, drag: dict[str, Any], number: int) -> int:
    """Where that model is among the frames."""
    training = chosen(app).training
    lam = float(path_run.path_grid(chosen(app).method, training)[number])
    away = np.abs(np.log(unpacked(drag["c"]) / training.c_of(lam)))
    assert away.min() < 1e-9
    return int(away.argmin())


def test_between_two_models_what_is_counted_on_top_is_a_range_that_letting_go_does_not_correct(open_app: Open) -> None:
    app = finished(opened(open_app, one_list(60, noise=1.0), "mine.csv", method="l1"))
    drag, choice = main_picture(app)["drag"], chosen(app)
    data = choice.fold.parts()["test"]
    positive = data.relevance > 0
    (words,) = drag["texts"]
    told = words["text"]["at"]
    ranges = [frame for frame, text in enumerate(told) if "–" in text]
    assert ranges
    for frame in ranges[:: max(len(ranges) // 8, 1)]:
        lam = choice.training.lam_of(float(unpacked(drag["c"])[frame]))
        scores = data.features @ choice.method.fit(choice.training, lam).weights
        on_top = int((scores[positive] > scores[~positive].max()).sum())
        low, high = (int(end) for end in told[frame].split()[0].split("–"))
        assert low <= on_top <= high
        title = drag["readings"]["title-strips"]["at"][frame]
        assert_says(title, f"{low}–{high} of {positive.sum()}")
        assert_says(drag["readings"]["title"]["at"][frame], f"{100 * low / positive.sum():.0f}–")


def test_documents_of_one_list_lie_where_the_model_scores_them_and_follow_the_handle(open_app: Open) -> None:
    app = finished(opened(open_app, one_list(60), "mine.csv", method=PUSH))
    test, weights = model(app)
    top = evaluate_ranking(test, test.features @ weights, "standard")["Top"]
    assert f"{100 * top:.0f} % of the test positives" in headline_of(app)
    drawn_now = main_picture(app)
    drag, axis = drawn_now["drag"], drawn_now["figure"]["layout"]["xaxis"]["range"]
    data = chosen(app).fold.parts()["test"]
    positives = [dot for dot in drag["dots"] if dot["filledBeyond"] == 0.0]
    negatives = [dot for dot in drag["dots"] if dot["shown"] == "dragged" and dot["filledBeyond"] is None]
    for number in (0, 5, MODELS - 1):
        frame = frame_of(app, drag, number)
        scores = data.features @ path_model(app, number)
        heights = scores - scores[data.relevance == 0].max()
        for dots, rows in ((positives, data.relevance > 0), (negatives, data.relevance == 0)):
            shown = np.sort([unpacked(dot["across"]["at"])[frame] for dot in dots])
            assert shown == pytest.approx(np.sort(np.clip(heights[rows], *axis)), abs=2e-3)
        said = drag["texts"][0]["text"]["at"][frame]
        assert said == f"{np.count_nonzero(heights[data.relevance > 0] > 0)} of {len(positives)} positives above"
        assert drag["readings"]["title-strips"]["at"][frame].startswith(said.split(" of")[0] if number else "Every row")


def test_bars_of_many_lists_follow_the_handle_and_lead_to_one_list_and_to_the_best(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(page, "complete", lambda choice, methods: False)
        app = settled(opened(open_app, LISTS, method="l1"))
        over_paths_under_way_only_the_chosen_model_is_spoken_of(app)
    assert set(drawn(finished(app), "shares")) > {"RankSVM ℓ1", "infinite push ℓ1"}
    bars_of_both_methods_follow_the_handle(app)
    values = [
        FoldJudge(chosen(app).fold, "standard").judgement(path_model(app, number)).metrics["vali"]["Top"]
        for number in range(MODELS)
    ]
    press(app, "top_best")
    choice = chosen(app)
    lams = path_run.path_grid(get_method("l1"), choice.training)
    number = int(np.abs(np.log(lams / choice.lam)).argmin())
    assert values[number] == pytest.approx(max(values), abs=1e-9)
    app.session_state["top_look"] = "one list"
    one_of_many_lists_is_chosen_by_its_query(app.run())


def over_paths_under_way_only_the_chosen_model_is_spoken_of(app: AppTest) -> None:
    data, weights = model(app)
    rate = evaluate_ranking(data, data.features @ weights, "standard")["Top"]
    assert f"{100 * rate:.0f} % of a list's test positives" in headline_of(app)
    assert set(drawn(app, "shares")) == {"RankSVM ℓ1"}
    assert main_picture(app)["drag"] is None
    assert app.button(key="top_best").disabled


def bars_of_both_methods_follow_the_handle(app: AppTest) -> None:
    picture = main_picture(app)
    data, drag = chosen(app).fold.parts()["test"], picture["drag"]
    frame = frame_of(app, drag, 6)
    counts = counts_by_share(shares_over_lists(data, path_model(app, 6)))
    bars = [unpacked(bar["length"]["at"])[frame] for bar in drag["bars"]]
    assert bars[:6] == counts.tolist()
    assert sum(bars[6:]) == sum(counts)
    assert [text["text"]["at"][frame] for text in drag["texts"][:6]] == [str(n) for n in counts]
    first = sum(counts[1:])
    assert f"relevant in {first} of {sum(counts)} lists" in drag["readings"]["title-shares"]["at"][frame]


def one_of_many_lists_is_chosen_by_its_query(app: AppTest) -> None:
    data = chosen(app).fold.parts()["test"]
    query = int(lists_with_a_top(data)[3])
    app.selectbox(key="top_list").set_value(query).run()
    rows = slice(*data.query_offsets[query : query + 2])
    assert len(unpacked(drawn(app, "strips")["negative"]["x"])) == np.count_nonzero(data.relevance[rows] == 0) - 1


def test_the_top_share_is_one_for_all_methods_of_the_loss(open_app: Open) -> None:
    app = opened(open_app, LISTS, method=PUSH, top_look="one list", top_share=0.5)
    assert dict(app.session_state["choice"].parameters)["top_share"] == 0.5
    assert len(unpacked(drawn(app, "strips")["negative in the top share"]["x"])) > 0
    control(app.selectbox, "method").set_value("infinite-push-l2").run()
    assert dict(app.session_state["choice"].parameters) == {"top_share": 0.5}  # all that this method has
    before = dict(app.query_params) | {"top_share": ["0.5"]}  # as the browser writes it
    app.slider(key="top_share").set_value(1.0).run()
    step_to(app, before)
    assert dict(app.session_state["choice"].parameters) == {"top_share": 0.5}


def test_the_headline_says_how_sure_its_share_is_and_further_questions_are_closed_at_first(open_app: Open) -> None:
    app = open_app("top", dataset="python-docs", method="l1", ratio="0.03")
    assert [one["picture"]["filename"] for one in all_sent(app)] == ["shares"]
    assert not any(control.key == "experiment" for control in app.segmented_control)
    said = headline_of(app)
    found = re.search(r"(\d+) % of a list's test positives.*interval (\d+) to (\d+) %", said)
    assert found is not None, said
    share, low, high = map(int, found.groups())
    spread = 100 * np.sqrt(share / 100 * (1 - share / 100) / chosen(app).fold.test.n_queries)
    assert low < share < high
    assert high - low == pytest.approx(2 * 1.96 * spread, rel=0.3)
