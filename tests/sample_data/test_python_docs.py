"""The set python-docs is complete, consistent, and behaves like a real ranking task.

What is taken from the standard library, and that nothing acts while it is taken.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest


def test_it_is_as_large_as_promised(python_docs):
    sizes = [len(block.relevance) for block in python_docs.queries]
    assert len(sizes) >= 200
    assert set(sizes) == {50}
    assert python_docs.queries[0].features.shape[1] >= 40


def test_features_have_one_distinct_name_each(python_docs):
    names = python_docs.feature_names
    assert len(names) == len(set(names)) == python_docs.queries[0].features.shape[1]
    assert all(name == name.strip() and name for name in names)


def test_every_partition_has_all_grades_and_its_share_of_the_queries(python_docs):
    n_queries = len(python_docs.queries)
    for partition in python_docs.partitions:
        assert abs(len(partition) - n_queries / 5) < 1
        assert set(np.concatenate([block.relevance for block in partition])) == {0, 1, 2}


def test_no_query_is_in_two_partitions(python_docs):
    qids = [block.qid for block in python_docs.queries]
    assert sorted(qids, key=int) == [str(q) for q in range(1, len(qids) + 1)]


def test_the_object_a_query_was_taken_from_is_among_its_candidates_exactly_once(python_docs):
    texts, names = python_docs.table("query_texts"), python_docs.table("document_names")
    for block in python_docs.queries:
        described = [names[document] == texts[block.qid] for document in block.documents]
        assert np.array_equal(block.relevance == 2, described)
        assert sum(described) == 1
        assert len(set(block.documents)) == len(block.documents)


def test_kin_share_the_module_of_the_object(python_docs):
    for block in python_docs.queries:
        target = block.documents[int(block.relevance.argmax())]
        kin = [document for document, grade in zip(block.documents, block.relevance, strict=True) if grade == 1]
        assert all(document.split(".")[0] == target.split(".")[0] for document in kin)


def test_features_are_normalised_within_each_query(python_docs):
    for block in python_docs.queries:
        low, high = block.features.min(axis=0), block.features.max(axis=0)
        assert np.all(low == 0.0)
        assert np.all((high == 1.0) | (high == 0.0))


def test_no_feature_is_constant_everywhere(python_docs):
    assert np.all(np.vstack([block.features for block in python_docs.queries]).std(axis=0) > 0)


def test_the_order_of_the_candidates_says_nothing(python_docs, mean_ndcg):
    as_written = mean_ndcg(python_docs.queries, np.zeros(len(python_docs.feature_names)))
    assert as_written < 0.2


def test_the_best_single_feature_is_far_better_than_random_and_far_from_perfect(python_docs, mean_ndcg):
    queries, n_features = python_docs.queries, len(python_docs.feature_names)
    best = max(mean_ndcg(queries, sign * row) for row in np.eye(n_features) for sign in (1.0, -1.0))
    assert 3 * random_ndcg(queries) <= best <= 0.8


def test_a_linear_model_beats_the_best_single_feature_on_every_test_part(python_docs, mean_ndcg, ridge):
    single = np.eye(len(python_docs.feature_names))[python_docs.feature_names.index("BM25 of all")]
    gains = [mean_ndcg(test, ridge(train)) - mean_ndcg(test, single) for train, test in python_docs.folds()]
    assert min(gains) > 0.0
    assert np.mean(gains) > 0.04


def test_some_features_repeat_others_but_none_twice_over(python_docs):
    features = np.vstack([block.features for block in python_docs.queries])
    correlation = np.abs(np.corrcoef(features.T))[np.triu_indices(features.shape[1], k=1)]
    assert (correlation > 0.9).sum() >= 20
    assert correlation.max() < 1.0 - 1e-9


def test_the_description_says_what_the_reader_and_the_licence_need(python_docs):
    description = python_docs.description
    assert description["name"] == "python-docs"
    assert description["convention"] == "standard"
    assert description["built_with"]["python"] in description["licence"]
    assert "Python Software Foundation" in (python_docs.folder / "LICENSE.txt").read_text(encoding="utf-8")


def random_ndcg(blocks) -> float:
    """Expected NDCG@10 of a random order: every rank holds the query's mean gain."""
    discount = 1.0 / np.log2(np.arange(2, 12))
    expected = []
    for block in blocks:
        gains = 2.0**block.relevance - 1.0
        ideal = (np.sort(gains)[::-1][:10] * discount).sum()
        expected.append(gains.mean() * discount.sum() / ideal)
    return float(np.mean(expected))


ROOT = Path(__file__).parents[2] / "sample_data"


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
def test_a_docstring_is_its_first_sentence_and_the_rest(python_documentation, docstring, summary, body):
    assert python_documentation.split_docstring(docstring) == (summary, body)


def test_objects_are_found_once_and_at_home(python_documentation):
    found = {entry.name: entry for entry in python_documentation.documented_objects()}
    assert len(found) == len(python_documentation.documented_objects())
    assert (found["textwrap.wrap"].kind, found["textwrap.wrap"].owner) == ("function", "textwrap")
    assert found["textwrap.wrap"].parameters == ("text", "width", "kwargs")
    assert found["builtins.str.join"].owner == "builtins.str"
    assert "heapq.heappush" in found, "an accelerator's function belongs to the module that shows it"
    assert "inspect.OrderedDict" not in found, "an imported class belongs to its own module"


def test_looking_imports_nothing_that_acts():
    script = "import sys, python_documentation as d; d.documented_objects(); print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert not {"antigravity", "this", "turtle", "tkinter", "idlelib", "test"} & set(out.split())
