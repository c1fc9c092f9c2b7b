"""Feature logs in JSON: search responses of Elasticsearch's and OpenSearch's learning to rank, and of Solr's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.data.imports.json_stream import JsonStream
from core.data.imports.judgments import Place, QueryName
from core.data.imports.logged_features import LoggedRow
from core.data.imports.text_file import TextFile
from core.data.letor.value_problems import value_problem
from core.data.numbers import is_number, read_numbers

_QUERY_MEMBERS = ("query", "query_text", "qid")
_NESTED = ("hits", "response", "responses")
_UNSAID = QueryName()


def read_search_log(file: TextFile) -> Iterator[LoggedRow]:
    """Read search responses: one, an array of them, those of ``_msearch``, or one a line.

    Solr repeats the query in ``responseHeader.params.q``. Elasticsearch does not: the response, or an object around it,
    must have a member ``query``.

    Raises
    ------
    DataError
        Where a response does not say its query, or a document has no features.
    """
    stream = JsonStream(file)
    found = False
    while stream.peek():
        for row in _response(stream, _UNSAID):
            if row.query == _UNSAID:
                msg = (
                    'the log does not name the query of this document; put "query": "..." next to "hits", or write '
                    'one response a line as {"query": ..., "response": ...}'
                )
                raise row.place.problem(msg)
            found = True
            yield row
    if not found:
        msg = "it has no document with logged features"
        raise stream.problem(msg)


def _response(stream: JsonStream, query: QueryName) -> Iterator[LoggedRow]:
    """Yield the rows of a response; those whose query is told after them, or not at all, at its end."""
    if stream.peek() == "[":
        for _ in stream.elements():
            yield from _response(stream, query)
        return
    if stream.peek() != "{":
        stream.value()
        return
    waiting: list[LoggedRow] = []
    for key in stream.members():
        if key in _QUERY_MEMBERS and stream.peek() in '"-0123456789':
            query = QueryName(text=str(stream.value()).strip())
        elif key == "responseHeader":
            query = _solr_query(stream.value()) if query == _UNSAID else _passed(stream, query)
        elif key in ("hits", "docs") and stream.peek() == "[":
            row_of = _hit if key == "hits" else _document
            for _ in stream.elements():
                place = stream.place()
                row = row_of(stream.value(), query, stream, place)
                if query == _UNSAID:
                    waiting.append(row)
                else:
                    yield row
        elif key in _NESTED:
            for row in _response(stream, query):
                if row.query == _UNSAID:
                    waiting.append(row)
                else:
                    yield row
        else:
            stream.value()
    yield from (row._replace(query=query) for row in waiting)


def _passed(stream: JsonStream, query: QueryName) -> QueryName:
    stream.value()
    return query


def _solr_query(header: Any) -> QueryName:
    params = header.get("params") if isinstance(header, dict) else None
    asked = params.get("q") if isinstance(params, dict) else None
    return QueryName(text=asked.strip()) if isinstance(asked, str) else _UNSAID


def _hit(hit: Any, query: QueryName, stream: JsonStream, place: tuple[int, int]) -> LoggedRow:
    """The log of a hit: ``fields._ltrlog[0].log_entry1: [{"name": "title_query", "value": 9.5}]``."""
    try:
        document, entries = hit["_id"], hit["fields"]["_ltrlog"]
        features = [feature for entry in entries for listed in entry.values() for feature in listed]
        names = tuple([feature["name"] for feature in features])
        values = [feature["value"] for feature in features]
    except (KeyError, TypeError, AttributeError):
        document, names, values = _sparse_hit(hit, stream, place)
    if len(set(names)) < len(names):  # several queries of the search log one feature set
        told = dict(zip(names, values, strict=True))
        if all(told[name] == value for name, value in zip(names, values, strict=True)):
            names, values = tuple(told), list(told.values())
    return _row(query, str(document), names, values, stream, place)


def _sparse_hit(hit: Any, stream: JsonStream, place: tuple[int, int]) -> tuple[str, tuple[str, ...], list[Any]]:
    """Read a hit in which features without a match have no value, or say what is wrong with it."""
    if not isinstance(hit, dict) or "_id" not in hit:
        msg = "a hit has no _id, so it cannot be joined with a judgment"
        raise stream.problem(msg, place)
    fields = hit.get("fields")
    entries = fields.get("_ltrlog") if isinstance(fields, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        msg = f"hit {hit['_id']} has no features (fields._ltrlog); ask for them with ext.ltr_log in the search"
        raise stream.problem(msg, place)
    listed = [features for entry in entries for features in entry.values()]
    features = [feature for found in listed if isinstance(found, list) for feature in found]
    if not all(isinstance(feature, dict) and isinstance(feature.get("name"), str) for feature in features):
        msg = f"a feature of hit {hit['_id']} has no name"
        raise stream.problem(msg, place)
    told = [feature for feature in features if feature.get("value") is not None]
    return str(hit["_id"]), tuple(feature["name"] for feature in told), [feature["value"] for feature in told]


def _document(document: Any, query: QueryName, stream: JsonStream, place: tuple[int, int]) -> LoggedRow:
    """The log of a document of Solr: ``"[features]": "a=0.02,b=0.0"``."""
    if not isinstance(document, dict) or "id" not in document:
        msg = "a document has no id; ask for it with fl=id,[features]"
        raise stream.problem(msg, place)
    told = document.get("[features]", document.get("features"))
    if not isinstance(told, str):
        msg = f"document {document['id']} has no features; ask for them with fl=id,[features]"
        raise stream.problem(msg, place)
    pairs = [pair.rpartition("=") for pair in told.split(",")] if told.strip() else []
    names = tuple([name.strip() for name, _, _ in pairs])
    try:
        values = list(read_numbers([value for _, _, value in pairs]))
    except ValueError:
        values = []
    if len(values) < len(pairs) or not all(names):
        wrong = next(p for p in pairs if not p[0].strip() or not is_number(p[2]))
        msg = f"document {document['id']}: {''.join(wrong)!r} among its features is not written name=value"
        raise stream.problem(msg, place)
    return _row(query, str(document["id"]), names, values, stream, place)


def _row(
    query: QueryName,
    document: str,
    names: tuple[str, ...],
    values: list[Any],
    stream: JsonStream,
    place: tuple[int, int],
) -> LoggedRow:
    if not set(map(type, values)) <= {float, int}:
        name, value = next((n, v) for n, v in zip(names, values, strict=True) if type(v) not in (float, int))
        msg = f"feature {name} of document {document}: {value_problem(str(value))}"
        raise stream.problem(msg, place)
    try:
        told = [float(value) for value in values]
    except OverflowError:
        msg = f"a feature of document {document} is too large for a number with a fraction"
        raise stream.problem(msg, place) from None
    return LoggedRow(query, document, "", names, told, Place(stream.file.name, *place))
