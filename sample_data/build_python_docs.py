"""Build the set ``python-docs``: find an object of Python's standard library by what its documentation says.

    python sample_data/build_python_docs.py --out sample_data/python-docs

Documents are the modules, classes, functions and methods whose docstring says something beyond its first
sentence. A query is one such first sentence, and the object it was taken from is to be found without it: no
field of any document contains a first sentence.

Recipe
------
Fields: ``name`` (qualified, without the module), ``signature`` (names of parameters), ``body`` (docstring
without its first sentence), ``module`` (the module's name, its docstring's body and the names of what it
contains, like a table of contents), ``all`` (the first three and the module's name).

Candidates of a query: the 50 documents best by BM25 of ``all``; a query whose own object is not among them
is dropped. They are written in an order that says nothing (a hash), so ties favour nobody.

Relevance: 2 the object itself; 1 its kin: for a method its class and the class's other methods, for anything
else all of the same module; 0 the rest.

Features: nine kinds over five fields (`retrieval_features`) and nine of the object alone, as LETOR has
length and slashes of the URL, child pages and links. Normalised to [0, 1] within each query, as LETOR does.

Why so
------
NDCG@10 on test, mean over five folds: the best single feature of train, then an ℓ1 model at λ_max / 100.
As it stands 0.647 and 0.689. About fifteen variants were tried on these same queries, so the figures describe
this set and promise nothing about another.

* The module's text inside ``all``: 0.634 and 0.668. Kept apart, finding the object and finding its kin are
  two signals that a model has to combine, and the ``module`` features cannot answer alone.
* The module's name alone as its text: 0.649 and 0.675.
* Documents without a body as well: 0.576 and 0.621, since nearly half of all objects have no other text.
* The whole module as kin of a method too: 0.647 and 0.688, but random order rises from 0.147 to 0.160.
"""

from __future__ import annotations

import argparse
import hashlib
import platform
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from letor_files import Query, SampleSet, write
from python_documentation import Documented, documented_objects
from retrieval_features import KINDS, Field, query_normalised, terms

N_QUERIES = 280
N_CANDIDATES = 50
QUERIES_PER_MODULE = 8
BODY_TERMS = 12
QUERY_TERMS = range(4, 16)

FIELDS = ("name", "signature", "body", "module", "all")
OBJECT_FEATURES = (
    "depth of name",
    "characters in name",
    "number of parameters",
    "number of members",
    "inlink number",
    "outlink number",
    "is a class",
    "is a function",
    "is a method",
)
FEATURE_NAMES = [f"{kind} of {field}" for kind in KINDS for field in FIELDS] + list(OBJECT_FEATURES)

_REFERENCE = re.compile(r"\b[A-Za-z]\w*(?=\()|\b[A-Z][a-z]+[A-Z]\w*|\b[a-z]+_\w+")


def build() -> SampleSet:
    """The set of the Python that runs this."""
    objects = documented_objects()
    documents = [entry for entry in objects if len(terms(entry.body)) >= BODY_TERMS]
    collection = Collection(documents, objects)
    found = list(islice(_queries(collection), N_QUERIES))
    shown = {name for query in found for name in query.document_ids}
    return SampleSet(
        description=_description(),
        feature_names=FEATURE_NAMES,
        queries=found,
        document_names={entry.name: entry.summary for entry in documents if entry.name in shown},
    )


class Collection:
    """The documents with their fields, and the features they share with no query.

    Parameters
    ----------
    documents : list of Documented
    objects : list of Documented
        All documented objects, from which the contents of a module are listed.
    """

    def __init__(self, documents: list[Documented], objects: list[Documented]) -> None:
        self.documents = documents
        contents = _contents(objects)
        self.fields = [Field(column) for column in zip(*(_texts(d, contents) for d in documents), strict=True)]
        self.object_features = _object_features(documents, objects)

    def candidates(self, query: list[str]) -> list[int]:
        """The best documents by BM25 of ``all``, best first; ties in order of name."""
        whole = self.fields[FIELDS.index("all")]
        scores = [whole.bm25(query, i) for i in range(len(self.documents))]
        return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:N_CANDIDATES]

    def features(self, query: list[str], document: int) -> list[float]:
        """Kind by kind, each over all fields, then the object's own: the order of ``FEATURE_NAMES``."""
        by_field = [field.features(query, document) for field in self.fields]
        by_kind = [value for values in zip(*by_field, strict=True) for value in values]
        return by_kind + self.object_features[document]


def _contents(objects: list[Documented]) -> dict[str, list[str]]:
    """Terms of every module: its name, its docstring's body, the names of what it contains."""
    contents: dict[str, list[str]] = defaultdict(list)
    for entry in objects:
        text = f"{entry.name} {entry.body}" if entry.kind == "module" else _last(entry.name)
        contents[entry.module] += terms(text)
    return contents


def _texts(entry: Documented, contents: dict[str, list[str]]) -> tuple[list[str], ...]:
    """Terms of the five ``FIELDS``."""
    name = terms(entry.name.removeprefix(f"{entry.module}."))
    signature = terms(" ".join(entry.parameters))
    body = terms(entry.body)
    return name, signature, body, contents[entry.module], name + signature + body + terms(entry.module)


def _object_features(documents: list[Documented], objects: list[Documented]) -> list[list[float]]:
    """One row of ``OBJECT_FEATURES`` for each document."""
    members = Counter(entry.owner for entry in objects if entry.owner != entry.name)
    known = {_last(entry.name) for entry in documents}
    references = [set(_REFERENCE.findall(entry.body)) & known - {_last(entry.name)} for entry in documents]
    inlinks = Counter(name for names in references for name in names)
    return [
        [
            float(entry.name.count(".")),
            float(len(entry.name)),
            float(len(entry.parameters)),
            float(members[entry.name]),
            float(inlinks[_last(entry.name)]),
            float(len(names)),
            *(float(entry.kind == kind) for kind in ("class", "function", "method")),
        ]
        for entry, names in zip(documents, references, strict=True)
    ]


def _queries(collection: Collection) -> Iterator[Query]:
    """Queries in an order that depends on names alone, a few from each module."""
    summaries = Counter(entry.summary for entry in collection.documents)
    taken: Counter[str] = Counter()
    for target in sorted(collection.documents, key=lambda entry: _shuffled(entry.name)):
        words = list(dict.fromkeys(terms(target.summary)))
        if taken[target.module] == QUERIES_PER_MODULE or summaries[target.summary] > 1:
            continue
        if not _reads_as_query(target.summary, words):
            continue
        candidates = collection.candidates(words)
        if any(collection.documents[i] is target for i in candidates):
            taken[target.module] += 1
            yield _query(collection, target, words, candidates)


def _query(collection: Collection, target: Documented, words: list[str], candidates: list[int]) -> Query:
    documents = collection.documents
    rows = sorted(candidates, key=lambda i: _shuffled(f"{target.name} {documents[i].name}"))
    return Query(
        document_ids=[documents[i].name for i in rows],
        relevance=[relevance(target, documents[i]) for i in rows],
        features=query_normalised([collection.features(words, i) for i in rows]),
        text=target.summary,
    )


def relevance(target: Documented, document: Documented) -> int:
    """2 for the object itself, 1 for its kin, else 0."""
    if document is target:
        return 2
    if target.kind == "method":
        return int(target.owner in (document.owner, document.name))
    return int(target.module == document.module)


def _reads_as_query(summary: str, words: list[str]) -> bool:
    """A whole sentence with enough to search for."""
    sentence = summary[0].isupper() and summary.endswith(".") and "->" not in summary
    return sentence and len(words) in QUERY_TERMS


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _shuffled(name: str) -> str:
    """A sort key in no order that means anything, the same on every machine."""
    return hashlib.sha256(name.encode()).hexdigest()


def _description() -> dict[str, object]:
    version = platform.python_version()
    return {
        "name": "python-docs",
        "title": "Python documentation search",
        "provenance": f"Built from the docstrings of the standard library of CPython {version} by "
        "sample_data/build_python_docs.py; queries are first sentences, documents the documented objects.",
        "convention": "standard",
        "licence": f"PSF-2.0, documentation strings of CPython {version}",
        "query_texts": "queries.tsv",
        "document_names": "documents.tsv",
        "built_with": {"python": version, "platform": sys.platform, "zlib": zlib.ZLIB_RUNTIME_VERSION},
    }


def main() -> None:
    """Build the set and write it into the folder ``--out``."""
    parser = argparse.ArgumentParser(description="Build the sample set python-docs.")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    write(build(), parser.parse_args().out)


if __name__ == "__main__":
    main()
