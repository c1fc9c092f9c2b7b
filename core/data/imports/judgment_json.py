"""Judgments in JSON: Rated Ranking Evaluator's ratings and OpenSearch's judgment lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.data.imports.json_stream import JsonStream
from core.data.imports.judgments import Judgments, Place, QueryName
from core.data.imports.text_file import TextFile

_GROUPS = ("topics", "query_groups", "queries")
_DOCUMENT_KEYS = ("document_id", "doc_id", "docId", "id")


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
    lists = [found.get(key) or [] for key in ("ratings", "failures")] if isinstance(found, dict) else []
    if not lists or "query" not in found or not all(isinstance(listed, list) for listed in lists):
        msg = 'a rated query must be {"query": ..., "ratings": [...]}'
        raise stream.problem(msg, place)
    ratings, failures = lists
    judgments.unrated += len(failures) or not ratings  # a query without documents is one
    for rating in ratings:
        if not isinstance(rating, dict) or "docId" not in rating or "rating" not in rating:
            msg = f'a rating of query {found["query"]} must be {{"docId": ..., "rating": ...}}'
            raise stream.problem(msg, place)
        query = QueryName(text=_text(found["query"]))
        judgments.add(query, _text(rating["docId"]), _text(rating["rating"]), Place(stream.file.name, *place))


@dataclass
class _Node:
    """A group of queries that share their documents, or one query."""

    query_placeholder: str = "$query"
    names: list[str] = field(default_factory=list)
    documents: list[tuple[str, str, Place]] = field(default_factory=list)


def read_rre(file: TextFile, judgments: Judgments) -> Iterator[None]:
    """Read ratings of the Rated Ranking Evaluator.

    Documents are ``{"doc": {"gain": 3}}``, ``{"3": ["doc"]}`` or ``[{"document_id": "doc", "gain": 3}]``; they belong
    to a query, or to all of a group. Older files write ``rating`` for ``gain``. ``query_placeholder`` says, above the
    queries, which placeholder is the query's text; else ``$query`` is.
    """
    stream = JsonStream(file)
    while stream.peek():
        yield from _rre(stream, judgments, _Node())


def _rre(stream: JsonStream, judgments: Judgments, above: _Node) -> Iterator[None]:
    """Read an object; its query counts for the group above, its documents for all queries in it."""
    here, place = _Node(above.query_placeholder), stream.place()
    if stream.peek() != "{":
        msg = "a query or a group of queries must be an object"
        raise stream.problem(msg, place)
    for key in stream.members():
        if key in _GROUPS and stream.peek() == "[":
            for _ in stream.elements():
                yield from _rre(stream, judgments, here)
        elif key == "query_placeholder":
            here.query_placeholder = _text(stream.value())
        elif key == "placeholders" or key.startswith("$"):
            value = stream.value()
            values = value if key == "placeholders" else {key: value}
            here.names.append(_query_text(values, here.query_placeholder, stream, place))
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


def _query_text(placeholders: Any, asked: str, stream: JsonStream, place: tuple[int, int]) -> str:
    values = placeholders if isinstance(placeholders, dict) else {}
    for name in (asked, f"${asked}", "$query"):
        if name in values:
            return _text(values[name])
    if len(values) == 1:
        return _text(next(iter(values.values())))
    msg = f"the placeholders {', '.join(values) or '(none)'} do not say which one is the query; call it $query"
    raise stream.problem(msg, place)


def _read_documents(stream: JsonStream, documents: list[tuple[str, str, Place]]) -> None:
    if stream.peek() == "[":
        for _ in stream.elements():
            place = Place(stream.file.name, *stream.place())
            listed = stream.value()
            document = (
                next((listed[key] for key in _DOCUMENT_KEYS if key in listed), None) if _is_rated(listed) else None
            )
            if document is not None:
                documents.append((_text(document), _gain(listed), place))
            elif isinstance(listed, dict) and all(map(_is_rated, listed.values())):
                documents += [(key, _gain(value), place) for key, value in listed.items()]
            else:
                msg = 'a relevant document in a list must be {"document_id": ..., "gain": 3}'
                raise place.problem(msg)
        return
    for key in stream.members():
        place = Place(stream.file.name, *stream.place())
        value = stream.value()
        if isinstance(value, list):
            documents += [(_text(document), key, place) for document in value]
        elif _is_rated(value):
            documents.append((key, _gain(value), place))
        else:
            msg = f'{key!r} of the relevant documents must be {{"gain": 3}}, or a list of documents with this gain'
            raise place.problem(msg)


def _is_rated(value: Any) -> bool:
    return isinstance(value, dict) and not {"gain", "rating"}.isdisjoint(value)


def _gain(value: dict[str, Any]) -> str:
    return _text(value["gain"] if "gain" in value else value["rating"])


def _text(value: Any) -> str:
    if value is None or isinstance(value, dict | list | bool):
        return ""
    return str(value).strip()
