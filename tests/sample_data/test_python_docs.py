"""The set python-docs is complete, consistent, and behaves like a real ranking task.

What is taken from the standard library, and that nothing acts while it is taken.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.sample_data.files import DISCOUNT, PYTHON_DOCS, ROOT, mean_ndcg, ridge
from tests.stand_ins import module_at

documentation = module_at(ROOT / "python_documentation.py")
NAMES, QUERIES = PYTHON_DOCS.feature_names, PYTHON_DOCS.queries
FEATURES = np.vstack([block.features for block in QUERIES])


def test_it_is_as_large_as_promised_with_all_grades_in_every_partition_and_no_query_twice() -> None:
    assert len(QUERIES) >= 200
    assert {block.features.shape for block in QUERIES} == {(50, len(NAMES))}
    assert len(set(NAMES)) == len(NAMES) >= 40
    assert all(name == name.strip() and name for name in NAMES)
    for partition in PYTHON_DOCS.partitions:
        assert abs(len(partition) - len(QUERIES) / 5) < 1
        assert set(np.concatenate([block.relevance for block in partition])) == {0, 1, 2}
    assert sorted((block.qid for block in QUERIES), key=int) == [str(q) for q in range(1, len(QUERIES) + 1)]


def test_features_are_normalised_within_each_query_vary_and_do_not_repeat_each_other_whole() -> None:
    for block in QUERIES:
        high = block.features.max(axis=0)
        assert np.all(block.features.min(axis=0) == 0.0)
        assert np.all((high == 1.0) | (high == 0.0))
    assert np.all(FEATURES.std(axis=0) > 0)
    correlation = np.abs(np.corrcoef(FEATURES.T))[np.triu_indices(len(NAMES), k=1)]
    assert (correlation > 0.9).sum() >= 20
    assert correlation.max() < 1.0 - 1e-9


def test_the_object_a_query_was_taken_from_is_among_its_candidates_once_and_kin_share_its_module() -> None:
    texts, names = PYTHON_DOCS.table("query_texts"), PYTHON_DOCS.table("document_names")
    for block in QUERIES:
        described = [names[document] == texts[block.qid] for document in block.documents]
        assert np.array_equal(block.relevance == 2, described)
        assert sum(described) == 1
        assert len(set(block.documents)) == len(block.documents)
        modules = {document.split(".")[0] for document, g in zip(block.documents, block.relevance, strict=True) if g}
        assert len(modules) == 1


def test_one_feature_is_far_better_than_any_order_and_a_linear_model_better_on_every_test_part() -> None:
    alone = {
        name: max(mean_ndcg(QUERIES, sign * row) for sign in (1.0, -1.0))
        for name, row in zip(NAMES, np.eye(len(NAMES)), strict=True)
    }
    assert max(alone, key=alone.__getitem__) == "BM25 of all"
    assert 3 * random_ndcg() <= alone["BM25 of all"] <= 0.8
    assert mean_ndcg(QUERIES, np.zeros(len(NAMES))) < 0.2, "the order of the candidates says nothing"
    single = np.eye(len(NAMES))[NAMES.index("BM25 of all")]
    gains = [mean_ndcg(test, ridge(train)) - mean_ndcg(test, single) for train, test in PYTHON_DOCS.folds()]
    assert min(gains) > 0.0
    assert np.mean(gains) > 0.04


def random_ndcg() -> float:
    """Expected NDCG@10 of a random order: every rank holds the query's mean gain."""
    gains = [2.0**block.relevance - 1.0 for block in QUERIES]
    return float(np.mean([g.mean() * DISCOUNT.sum() / (np.sort(g)[::-1][:10] * DISCOUNT).sum() for g in gains]))


def test_the_description_says_what_the_reader_and_the_licence_need() -> None:
    description = PYTHON_DOCS.description
    assert (description["name"], description["convention"]) == ("python-docs", "standard")
    assert description["built_with"]["python"] in description["licence"]
    assert "Python Software Foundation" in (PYTHON_DOCS.folder / "LICENSE.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("docstring", "summary", "body"),
    [
        ("Open a file. Return a stream.", "Open a file.", "Return a stream."),
        ("Open a\nfile.\n\nMore.\n\nAnd more.", "Open a file.", "More.\n\nAnd more."),
        ("open(name) -> stream\n\nOpen a file.", "Open a file.", ""),
        ("open(name) -> stream", "", ""),
        ("Takes e.g. a name.", "Takes e.g. a name.", ""),
    ],
)
def test_a_docstring_is_its_first_sentence_and_the_rest(docstring: str, summary: str, body: str) -> None:
    assert documentation.split_docstring(docstring) == (summary, body)


def test_objects_are_found_once_and_at_home() -> None:
    found = {entry.name: entry for entry in documentation.documented_objects()}
    assert len(found) == len(documentation.documented_objects())
    assert (found["textwrap.wrap"].kind, found["textwrap.wrap"].owner) == ("function", "textwrap")
    assert found["textwrap.wrap"].parameters == ("text", "width", "kwargs")
    assert found["builtins.str.join"].owner == "builtins.str"
    assert "heapq.heappush" in found, "an accelerator's function belongs to the module that shows it"
    assert "inspect.OrderedDict" not in found, "an imported class belongs to its own module"


def test_looking_imports_nothing_that_acts() -> None:
    script = "import sys, python_documentation as d; d.documented_objects(); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"antigravity", "this", "turtle", "tkinter", "idlelib", "test"} & set(out.split())
