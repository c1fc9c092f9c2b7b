"""The script of a picture of the protocol over a file that was dropped into the app."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pages.shared.choice import access, upload_files
from tests.app.conftest import Open
from tests.app.fitting import at_rest, give, press, until
from tests.app.test_scripts import PROTOCOL, assert_recomputed_here, picture
from tests.cli.conftest import letor_text
from tests.oracles import ranking_problem

pytestmark = pytest.mark.usefixtures("all_unfolded", "coarse_paths")


def two_classes() -> str:
    draw = np.random.default_rng(5)
    values = draw.normal(size=(40, 4))
    kind = np.where(values[:, 0] + 0.3 * draw.normal(size=40) > 0.0, "good", "bad")
    return pd.DataFrame(values, columns=list("abcd")).assign(kind=kind).to_csv(index=False)


@pytest.mark.parametrize(
    ("name", "content", "splits", "option"),
    [
        ("mine.txt", letor_text(ranking_problem(3, n_queries=40)), 5, " --folds 5"),
        pytest.param("mine, 'my own' \"file\".csv", two_classes(), 10, " --repeats 10", marks=pytest.mark.more),
    ],
    ids=["queries", "classes"],
)
def test_an_upload_is_split_and_worked_out_and_every_picture_recomputed_from_the_file_beside_it(
    name: str, content: str, splits: int, option: str, open_app: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app("reproduce", reproduce_methods="l1,l2", reproduce_grid="5")
    give(app, (name, content.encode()))
    data = app.multiselect(key="reproduce_data")
    data.set_value([one for one in data.options if one.startswith("mine")]).run()
    press(app, "reproduce_run")
    until(at_rest)
    app.run()
    table = [frame.value for frame in app.main.dataframe if "sparsity ratio" in frame.value.columns][-1]
    assert table["folds"].tolist() == [splits, splits]
    assert option in next(code.value for code in app.main.code if code.language == "bash")
    folder = tmp_path / "somewhere else"
    folder.mkdir()
    (folder / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(folder)
    (cells,) = (tmp_path / "cache" / "uploads").rglob("runs.sqlite")  # it goes with the upload; times are as they were
    monkeypatch.setenv("SPARSE_RANK_RUNS", str(cells))
    for section, kinds in PROTOCOL.items():
        app.segmented_control(key="reproduce_section").set_value(section).run()
        for kind in ("_".join(one.split("_")[:2]) for one in kinds):
            written = " ".join(code.value for code in app.main.code)
            (picture_name,) = set(re.findall(rf'picture\.save\("({kind}[^"]*)"\)', written))
            shown, script = picture(app, picture_name)
            assert str(tmp_path) not in script, "where the server keeps its copy is nobody's business"
            assert_recomputed_here(shown, script, folder, picture_name)


def test_a_damaged_copy_of_an_upload_is_written_again(open_app: Open) -> None:
    content = letor_text(ranking_problem(3, n_queries=40)).encode()
    app = open_app("reproduce", reproduce_methods="l1", reproduce_grid="5")
    give(app, ("mine.txt", content))
    data = app.multiselect(key="reproduce_data")
    data.set_value([one for one in data.options if one.startswith("mine")]).run()
    copy = upload_files.copy_of(access.uploads().get(hashlib.sha256(content).hexdigest()))
    assert copy.read_bytes() == content
    copy.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    app.run()
    assert copy.read_bytes() == content
