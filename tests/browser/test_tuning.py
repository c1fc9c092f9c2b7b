"""Choosing C on the validation part in the browser is what ``--tune`` does in a terminal."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, run_cli

# A bar that goes away again may be missed by looking from outside.
_NOTE_PROGRESS = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const note = () => { window.progressSeen ||= !!main.querySelector(".st-key-tuning [role=progressbar]"); };
  new MutationObserver(note).observe(main, {childList: true, subtree: true});
}"""


@pytest.mark.more
def test_the_best_c_on_validation_is_the_command_lines_and_one_click_uses_it(lab: Lab) -> None:
    lab.open("fit", dataset="python-docs", method="log")
    lab.press("fit")
    lab.says("Converged")
    lab.wait()
    lab.unfold("Which C does validation choose?")
    lab.page.evaluate(_NOTE_PROGRESS)
    lab.press("tune")
    lab.page.wait_for_function("() => window.progressSeen")
    expect(lab.button("tune")).to_be_enabled(timeout=150_000)
    lab.wait()
    printed = run_cli("fit", "python-docs", "--method", "log", "--tune", "map", "--json")
    lines = {trace.name: trace for trace in lab.drawn("tuning")}
    assert set(lines) >= {"train", "validation", "test"}
    assert len(lines["validation"].x) == printed["tuned"]["points"]
    assert max(lines["validation"].y) == pytest.approx(printed["tuned"]["vali"], abs=1e-12)

    lab.press("use_c")
    lab.wait()
    assert float(lab.value("C")) == pytest.approx(printed["C"], rel=1e-12)
    expect(lab.page.locator("h1, h2").first).to_contain_text(f"{printed['metrics']['test']['NDCG@10']:.4f}")
    lab.wait()
    assert lab.drawn("convergence")[-1].y[-1] == pytest.approx(printed["objective"], rel=1e-6)
    assert f"test NDCG@10 {printed['metrics']['test']['NDCG@10']:.4f}" in lab.headline
