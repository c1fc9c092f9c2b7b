"""The handle for C on this page: it moves weights, readings and certificate along the path of the chosen method."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import streamlit as st

from core.analysis.path import PathPoint
from core.analysis.path_frames import Frame, fitted_frame
from core.analysis.tuning.tuning import best_on_validation
from core.api.solver_tables import weights_table
from core.figures.fit.convergence import Horizontal
from core.figures.fit.handle import certificate_follower, rows_of, weights_along_figure, weights_handle
from core.figures.look.style import method_style
from core.figures.path.handle import HandlePanel, Spec
from core.methods import Fit
from core.solvers import TracePoint
from pages.shared import following, frame, headline
from pages.shared.choice.choice import Loaded
from pages.shared.choice.measures import measures_of
from pages.shared.choice.use_model import use_model
from pages.shared.live_chart import live_chart, taken
from pages.shared.wording import telling_part
from pages.shared.work.board import board, session_id
from pages.shared.work.panel import Panel, counted, draw_panel
from pages.shared.work.paths import USUAL_POINTS, complete, known_points, path_frames, path_job, path_key

_TAKEN = "fit_handle_taken"

# What speaks of the model at rest steps back while another one is under the hand.
_STYLE = """<style>
.stApp:has(.st-key-chart_weights .following) .st-key-fit_status { opacity: .3; }
.st-key-chart_convergence .following .main-svg:first-of-type { opacity: .4; }
</style>"""


@dataclass(frozen=True, eq=False)
class CHandle:
    """The path of the chosen method and the model that is seen.

    Attributes
    ----------
    choice : Loaded
    points : list of PathPoint
        The whole path.
    panel : HandlePanel
    measure : str
    """

    choice: Loaded
    points: list[PathPoint]
    panel: HandlePanel
    measure: str

    @property
    def identity(self) -> str:
        """The same as long as the path is the same."""
        return f"fit {path_key(self.choice, self.choice.method_id)} {len(self.points)}"

    @property
    def best(self) -> float | None:
        """C that is best on the validation part; None without one."""
        if "vali" not in self.points[0].metrics:
            return None
        return best_on_validation(self.points, self.measure).fit.c

    @property
    def models(self) -> tuple[Hashable, ...]:
        """All that moves."""
        return (*self.points, *self.panel.frames)

    def weights(self, title: str, most: int, fit: Fit, script: Callable[[], str]) -> None:
        """Draw the weights with the handle over them; fit and script are those of the model at rest."""
        now = self.panel.now
        rows = rows_of(now.weights, self.points, most)
        dashed = "" if self.best is None else "dashed: best on validation"
        st.html(_STYLE)
        live_chart(
            lambda: weights_along_figure(
                rows,
                now,
                self.points,
                self.panel.colour,
                best=self.best,
                revision=self.identity,
                title=title,
                subtitle=" · ".join(filter(None, [self._left_out(len(rows)), "drag the line to another C", dashed])),
            ),
            "weights",
            alt=f"{title}. A handle moves C along the path.",
            of=(self.choice.key, self.choice.where, fit, self.measure, title, most, self.models),
            handle=lambda: weights_handle(
                self.panel, rows, self.measure, self._readings, self.identity, best=self.best
            ),
            on_taken=_take,
            table=lambda: weights_table(fit),
            script=script,
            fill=True,
        )

    def _left_out(self, rows: int) -> str:
        more = self.panel.now.kept - rows
        return f"{more} smaller ones are in the table below" if more > 0 else ""

    def certificate(self, last: TracePoint, x: Horizontal) -> Spec:
        """What follows the hand in a picture of the certificate."""
        return certificate_follower(self.panel, last, x, self.identity)

    def _readings(self, shown: Frame) -> Mapping[str, str]:
        words = following.model_words(self.choice, shown, telling_part(self.points[0]), self.measure)
        return following.readings(self.choice, shown, words)


def known_handle(choice: Loaded, fit: Fit) -> CHandle | None:
    """The handle of a model at rest; None while the path of its method is not known to its end."""
    if not complete(choice, [choice.method_id]):
        return None
    points = known_points(choice, choice.method_id)
    if len(points) < 2:
        return None
    now = fitted_frame(headline.describe(choice, fit).point)
    panel = HandlePanel(path_frames(choice, points), now, method_style(choice.method_id).colour)
    return CHandle(choice, points, panel, measures_of(choice)[0])


def work_out(choice: Loaded) -> None:
    """Let the path of the chosen method be worked out while its model rests, where that is quick.

    Call it from a page's script; the page is drawn again at the end. A path that fails is told of where it is asked
    for, on the Path page.
    """
    data = choice.fold.train
    if data.n_documents * data.n_features > headline.QUICK_ENTRIES or choice.training.lam_max == 0.0:
        return
    job = path_job(choice, choice.method_id)
    active = job.active
    if active or job.state == "paused":
        panel = Panel(
            key="fit_path",
            what="Computing the path along which C can be dragged",
            ready=f"Path of {choice.title}",
            reached=lambda: counted([job], "models", expected=USUAL_POINTS),
        )
        draw_panel(panel, [job], active=active)


def step_back(choice: Loaded) -> None:
    """Let the path wait while a fit runs: the fit is what a person looks at, and its seconds are shown."""
    job = board().find(path_key(choice, choice.method_id), session_id())
    if job is not None:
        board().set_aside(job)


def draw_page_if_taken() -> None:
    """Draw the whole page where the hand has just let go; for the top of the fragment that holds the picture.

    The browser asks for that fragment alone, but strip, sidebar, headline and address speak of C, too.
    """
    if page_is_drawn():
        st.rerun()


def page_is_drawn() -> bool:
    """Forget that the hand has let go, as the whole page follows; whether it had."""
    return bool(st.session_state.pop(_TAKEN, False))


def _take() -> None:
    """The C at which the hand let go becomes that of every page."""
    place, choice = taken("weights"), frame.choice()
    if place is not None and choice is not None:
        c = float(place["c"])
        use_model(c=c, ratio=choice.training.lam_of(c) / choice.training.lam_max)
        st.session_state[_TAKEN] = True
