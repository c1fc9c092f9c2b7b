"""Judgments in JSON: Rated Ranking Evaluator's ratings and OpenSearch's judgment lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.data.imports.json_stream import JsonStream
from core.data.imports.judgments import Judgments, Place, QueryName
from core.data.imports.text_file import TextFile

_GROUPS = ("topics", "query_groups", "queries")


def read_opensearch(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read a judgment list of OpenSearch's search relevance workbench, as it is imported or as a search returns it.

    ``{"judgmentRatings": [{"query": "red dress", "ratings": [{"docId": "B07", "rating": "3.000"}]}]}``
    """
    stream = JsonStream(file)
    while stream.peek():
        yield from _opensearch(stream, judgments)


def _opensearch(stream: JsonStream, judgments: Judgments) -> Iterator[None]:
    if stream.peek() == "[":
        for _ in stream.elements():
            yield from _opensearch(stream, judgments)
    elif stream.peek() != "{":
        stream.value()
    else:
        for key in stream.members():
            if key == "judgmentRatings" and stream.peek() == "[":
                for _ in stream.elements():
                    _rated_query(stream, judgments)
                    yield
            elif key in ("hits", "_source"):
                yield from _opensearch(stream, judgments)
            else:
                stream.value()


def _rated_query(stream: JsonStream, judgments: Judgments) -> None:
    place = stream.place()
    found = stream.value()
    if not isinstance(found, dict) or "query" not in found or not isinstance(found.get("ratings"), list):
        msg = 'a rated query must be {"query": ..., "ratings": [...]}'
        raise stream.problem(msg, place)
    for rating in found["ratings"]:
        if not isinstance(rating, dict) or "docId" not in rating or "rating" not in rating:
            msg = f'a rating of query {found["query"]} must be {{"docId": ..., "rating": ...}}'
            raise stream.problem(msg, place)
        query = QueryName(text=_text(found["query"]))
        judgments.add(query, _text(rating["docId"]), _text(rating["rating"]), Place(stream.file.name, *place))


@dataclass
class _Node:
    """A group of queries that share their documents, or one query."""

    names: list[str] = field(default_factory=list)
    documents: list[tuple[str, str, Place]] = field(default_factory=list)


def read_rre(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read ratings of the Rated Ranking Evaluator.

    Documents are ``{"doc": {"gain": 3}}`` or ``{"3": ["doc"]}``; they belong to a query, or to all of a group.
    """
    stream = JsonStream(file)
    while stream.peek():
        yield from _rre(stream, judgments, _Node())


def _rre(stream: JsonStream, judgments: Judgments, above: _Node) -> Iterator[None]:
    """Read an object; its query counts for the group above, its documents for all queries in it."""
    here, place = _Node(), stream.place()
    if stream.peek() != "{":
        msg = "a query or a group of queries must be an object"
        raise stream.problem(msg, place)
    for key in stream.members():
        if key in _GROUPS and stream.peek() == "[":
            for _ in stream.elements():
                yield from _rre(stream, judgments, here)
        elif key == "placeholders" or key.startswith("$"):
            value = stream.value()
            here.names.append(_query_text(value if key == "placeholders" else {key: value}, stream, place))
        elif key == "relevant_documents":
            _read_documents(stream, here.documents)
        else:
            stream.value()
    for name in here.names:
        for document, gain, where in here.documents:
            judgments.add(QueryName(text=name), document, gain, where)
            yield
    if not here.documents:
        above.names += here.names  # the documents of its group are its own


def _query_text(placeholders: Any, stream: JsonStream, place: tuple[int, int]) -> str:
    values = placeholders if isinstance(placeholders, dict) else {}
    if "$query" in values:
        return _text(values["$query"])
    if len(values) == 1:
        return _text(next(iter(values.values())))
    msg = f"the placeholders {', '.join(values) or '(none)'} do not say which one is the query; call it $query"
    raise stream.problem(msg, place)


def _read_documents(stream: JsonStream, documents: list[tuple[str, str, Place]]) -> None:
    if stream.peek() == "[":
        for _ in stream.elements():
            _read_documents(stream, documents)
        return
    for key in stream.members():
        place = Place(stream.file.name, *stream.place())
        value = stream.value()
        if isinstance(value, list):
            documents += [(_text(document), key, place) for document in value]
        elif isinstance(value, dict) and "gain" in value:
            documents.append((key, _text(value["gain"]), place))
        else:
            msg = f'{key!r} of the relevant documents must be {{"gain": 3}}, or a list of documents with this gain'
            raise place.problem(msg)


def _text(value: Any) -> str:
    if value is None or isinstance(value, dict | list | bool):
        return ""
    return str(value).strip()
