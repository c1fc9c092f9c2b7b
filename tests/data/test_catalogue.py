"""The catalogue lists what is here and what could be, and a name or a path opens it."""

from pathlib import Path

import pytest

from core.data import Reading, open_dataset
from core.data import catalogue as module
from core.data.catalogue import READY, catalogue
from core.data.errors import DataError
from tests.says import assert_says

LINE = "1 qid:1 1:1 2:2\n0 qid:1 1:3 2:4\n"


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of somebody's data: one LETOR set, one that lacks a part, one table."""
    for folder in ("letor/MQ2007/Fold1", "deep/er/mine", "letor/broken/Fold1"):
        (tmp_path / folder).mkdir(parents=True)
        for part in ("train", "vali", "test"):
            (tmp_path / folder / f"{part}.txt").write_text(LINE)
    (tmp_path / "letor/broken/Fold1/vali.txt").unlink()
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "glass.csv").write_text("1,2,a\n3,4,b\n5,6,b\n")
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path))
    return tmp_path


def test_own_folders_and_tables_are_listed(own_data: Path) -> None:
    found = {entry.name: entry for entry in catalogue()}
    assert (found["MQ2007"].state, found["MQ2007"].n_folds) == (READY, 1)
    assert found["MQ2007"].title == "LETOR 4.0: Million Query track 2007"
    assert (found["mine"].state, found["mine"].path) == (READY, own_data / "deep/er/mine")
    assert (found["glass"].state, found["glass"].n_folds) == (READY, 1)
    assert "Fold1" not in found


def test_a_set_that_cannot_be_opened_says_why(own_data: Path) -> None:
    (broken,) = (entry for entry in catalogue() if entry.name == "broken")
    assert broken.state.startswith("broken/Fold1: ")
    assert_says(broken.state, "vali.txt", "missing")


def test_published_sets_that_are_absent_say_where_to_get_them(own_data: Path) -> None:
    absent = {entry.name: entry for entry in catalogue() if not entry.here}
    names = "HP2003 HP2004 MQ2008 MSLR-WEB10K NP2003 NP2004 OHSUMED TD2003 TD2004 ionosphere sonar spectf wpbc"
    assert " ".join(sorted(absent)) == names
    assert_says(absent["sonar"].state, "$SPARSE_RANK_DATA/uci/sonar.csv", "class", "last column")
    assert all("https://" in entry.state and entry.n_folds == 0 for entry in absent.values())


def test_of_two_with_the_same_name_both_can_be_opened(own_data: Path) -> None:
    twin = own_data / "deep" / "mq2007"
    twin.mkdir()
    for part in ("train", "vali", "test"):
        (twin / f"{part}.txt").write_text(LINE)
    names = [entry.name.lower() for entry in catalogue()]
    assert len(names) == len(set(names))
    opened = {str(entry.path) for entry in catalogue() if entry.state == READY and open_dataset(entry.name).fold()}
    assert {str(twin), str(own_data / "letor" / "MQ2007")} <= opened


def test_the_data_folder_may_itself_be_a_dataset(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSE_RANK_DATA", str(own_data / "letor" / "MQ2007"))
    assert "MQ2007" in {entry.name for entry in catalogue() if entry.state == READY}


def test_no_data_folder_at_all_is_fine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPARSE_RANK_DATA", str(tmp_path / "none"))
    assert {entry.name for entry in catalogue() if entry.path is None} >= {"MQ2008", "MSLR-WEB10K"}


def test_names_open_in_any_case_and_paths_open_too(own_data: Path) -> None:
    by_name = open_dataset("mq2007")
    assert by_name.name == "MQ2007"
    assert "Million Query track 2007" in by_name.provenance
    for path in (own_data / "letor/MQ2007", own_data / "letor/MQ2007/Fold1/train.txt", own_data / "uci/glass.csv"):
        assert open_dataset(str(path)).fold().train.n_documents >= 2
    assert Reading(positive="b").open("glass").fold().train.relevance.tolist() == [0, 1, 1]


def test_the_classes_of_a_table_are_known_before_it_is_read(own_data: Path) -> None:
    (own_data / "uci" / "half.csv").write_text("1,2,a\n3,x,b\n5,6,\n")
    listed = {entry.name: entry for entry in catalogue()}
    assert (listed["glass"].classes().counts, listed["glass"].classes().usual) == ({"a": 1, "b": 2}, "a")
    assert listed["half"].classes().counts == {"a": 1, "b": 1}
    assert listed["MQ2007"].classes() is None


@pytest.mark.parametrize(
    ("name", "options", "facts"),
    [
        ("MQ2OO7", {}, ("no dataset or file", "'MQ2OO7'", "mean MQ2007")),
        ("qqqqqq", {}, ("no dataset or file", "'qqqqqq'", "choose one of", "planted")),
        ("OHSUMED", {}, ("OHSUMED", "not here", "https://")),
        ("./no/such.txt", {}, ("./no/such.txt", "no such file")),
        ("MQ2007", {"split": 0.7}, ("'split'", "single files")),
        ("MQ2007", {"repeats": 3}, ("'repeats'", "single files")),
        ("toy", {"split": 0.7}, ("toy", "folds", "relevance", "'split'", "single files")),
        ("MQ2007", {"positive": "1"}, ("'positive'", "single files")),
        ("MQ2007", {"scale": "log"}, ("no scaling", "'log'")),
        ("broken", {}, ("broken/Fold1: ", "vali.txt", "missing")),
        ("glass", {"split": 7.0}, ("split", "7", "training share")),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_sentence(
    own_data, name: str, options: dict, facts: tuple[str, ...]
) -> None:
    with pytest.raises(DataError) as caught:
        Reading(**options).open(name)
    assert_says(str(caught.value), *facts)


SAMPLES = Path(module.__file__).parents[2] / "sample_data"


@pytest.mark.parametrize("name", ["python-docs", "planted"])
def test_the_sample_data_opens_in_every_fold(name: str) -> None:
    if not (SAMPLES / name / "dataset.json").is_file():
        pytest.skip(f"sample_data/{name} is not built")
    dataset = open_dataset(name)
    assert dataset.n_folds == 5
    queries = [set(part.query_ids) for part in dataset.fold(1).parts().values()]
    assert sum(map(len, queries)) == len(set.union(*queries))
    for number in range(1, 6):
        assert set.union(*(set(part.query_ids) for part in dataset.fold(number).parts().values())) == set.union(
            *queries
        )
    assert set(dataset.query_texts) in (set(), set.union(*queries))
