"""Journey 3 with a clock: sixty features with costs in, ten out, who suffers, a Solr model and a link."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.says import assert_says

MINUTES = 5.0
N_QUERIES, DOCUMENTS, N_FEATURES = 60, 20, 60
STRONG = {3: 1.2, 8: 1.0, 14: 0.9, 20: 0.8, 31: 0.6, 44: 0.5}


def ratings() -> bytes:
    """A CSV of sixty features with names, of which six matter."""
    draw = np.random.default_rng(3)
    values = draw.normal(size=(N_QUERIES * DOCUMENTS, N_FEATURES))
    merit = values[:, list(STRONG)] @ np.array(list(STRONG.values())) + draw.normal(size=len(values))
    lines = ["relevance,qid," + ",".join(f"field_{j:02d}" for j in range(N_FEATURES))]
    for query in range(N_QUERIES):
        rows = slice(query * DOCUMENTS, (query + 1) * DOCUMENTS)
        places = np.argsort(np.argsort(-merit[rows]))
        for place, row in zip(places, values[rows], strict=True):
            lines.append(f"{int(place < 2) + int(place < 6)},{query}," + ",".join(f"{value:.4f}" for value in row))
    return "\n".join(lines).encode()


def costs() -> bytes:
    return ("feature,cost\n" + "".join(f"field_{j:02d},{1 + j % 7}\n" for j in range(N_FEATURES))).encode()


@pytest.mark.more
@pytest.mark.first
def test_ten_of_sixty_features_and_the_model_for_the_engine_in_five_minutes(lab: Lab, tmp_path: Path) -> None:
    begun = time.monotonic()
    lab.open("ten")
    lab.give("shop.csv", ratings())  # and go on before the best subsets without costs are proven
    expect(lab.page.locator("h2").first).to_contain_text(
        re.compile(r"\binstead of 60: test NDCG@10\b.*(difference|lower|higher)"), timeout=120_000
    )
    lab.pick("ten_step", "With rules?")
    lab.wait()
    lab.press("costs")
    file = {"name": "costs.csv", "mimeType": "text/csv", "buffer": costs()}
    uploader = lab.page.locator('[class*="st-key-costs_file"] input[type=file]')
    lab.page.route("**/upload_file/**", lambda route: None)
    lab.wait()
    uploader.set_input_files([file])
    lab.page.keyboard.press("Escape")  # while it is being sent
    expect(lab.page.locator("#drop-sign")).to_contain_text("costs.csv")
    lab.page.unroute("**/upload_file/**")
    lab.press("costs")
    lab.wait()
    uploader.set_input_files([file])
    expect(lab.page.get_by_test_id("stSidebar")).to_contain_text("costs", timeout=150_000)
    lab.page.keyboard.press("Escape")
    lab.pick("ten_step", "How well do few rank?")
    lab.wait()
    # Every path under the costs: the claim then names all of them.
    said = lab.at("picture")
    expect(said).to_contain_text(re.compile(r"\bpaths of (all )?7 methods\b"), timeout=200_000)
    told = re.search(r"^(\d+) features \(.*\) instead of 60: test NDCG@10 ([\d.]+), with all ([\d.]+);", lab.headline)
    assert told is not None
    kept, value, whole = told.groups()
    assert int(kept) <= 10
    assert float(value) >= 0.98 * float(whole)
    lab.pick("ten_step", "Who loses?")
    lab.wait()
    assert_says(lab.headline, "test queries", "lose NDCG@10", "worst 5")
    assert len(lab.table("query")) == 5
    lab.pick("ten_step", "Use this model")
    lab.wait()
    with lab.page.expect_download() as download:
        lab.press("ten_export_download")
    saved = tmp_path / "model.json"
    download.value.save_as(saved)
    model = json.loads(saved.read_text(encoding="utf-8"))
    assert model["class"] == "org.apache.solr.ltr.model.LinearModel"
    assert len(model["features"]) == len(model["params"]["weights"]) == int(kept)
    link = lab.page.get_by_test_id("stCode").inner_text().strip()
    assert time.monotonic() - begun < 60 * MINUTES
    other = lab.another_tab()
    other.page.goto(link)
    expect(other.at("ten_export_download")).to_contain_text("Download", timeout=120_000)
    assert other.query["cost"] == lab.query["cost"]
