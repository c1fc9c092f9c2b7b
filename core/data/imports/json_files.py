"""Search engines' JSON: judgments of OpenSearch, feature logs of learning to rank.

JSON is read member by member, so that a file of any size takes the memory of its largest element. The standard library
decodes each element. ijson would not do: it tells no line and column of an element, which every refusal here names, and
takes 1.5 to 1.8 times as long for logs of Elasticsearch and judgments of OpenSearch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from core.data.imports.logged_features import Judgments, LoggedRow, QueryName
from core.data.imports.text_file import Place, TextFile
from core.data.letor.letor_lines import value_problem
from core.data.numbers import is_number, read_numbers

DEEPEST = 50
"""Objects and arrays inside each other that a caller may enter; no tool nests so deeply."""
_BLANKS = " \t\r\n"
_TAIL = 16
"""An error so close to the end of the text at hand may come from the cut between two pieces."""
_UNFINISHED = 3
"""A number is over where so many characters follow; after 1, the text at hand may end with ``e+`` of 1e+5."""


class JsonStream:
    """A cursor over the values of a JSON text, or of several one after the other as in JSON lines.

    `members` and `elements` enter an object or an array; for each key or element, the caller takes the value (`value`,
    or enters it) before the next one.
    """

    def __init__(self, file: TextFile) -> None:
        self.file = file
        self._pieces = file.pieces()
        self._decode = json.JSONDecoder().raw_decode
        self._text = ""
        self._at = 0
        self._ended = False
        self._depth = 0
        self._counted = 0  # up to here lines have been counted
        self._line = 1
        self._line_begin = 0  # in the text at hand; negative where the line began in an earlier piece

    def check(self) -> None:
        """Read on to the end, which refuses what is no JSON, with its place."""
        while self.peek():
            self.value()

    def peek(self) -> str:
        """Return the next character that is not blank; an empty text at the end."""
        while True:
            text, at = self._text, self._at
            while at < len(text) and text[at] in _BLANKS:
                at += 1
            self._at = at
            if at < len(text):
                return text[at]
            if not self._more():
                return ""

    def members(self) -> Iterator[str]:
        """Enter an object; yield each key when its value comes next."""
        for _ in self._inside("{", "}"):
            if self.peek() != '"':
                self._refuse("a name in quotation marks is missing")
            key = self.value()
            self._expect(":")
            self.peek()
            yield key

    def elements(self) -> Iterator[None]:
        """Enter an array; yield when an element comes next."""
        return self._inside("[", "]")

    def value(self) -> Any:
        """Take the next value whole."""
        self.peek()
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except json.JSONDecodeError as error:
                unsure = error.msg.startswith("Unterminated string") or error.pos + _TAIL > len(self._text)
                if unsure and len(self._text) - self._at > self.file.limits.json_element:
                    self._refuse(f"an element is larger than {self.file.limits.json_element:,} characters")
                if not unsure or not self._more():
                    cut_off = unsure and error.msg.startswith("Unterminated string")
                    self._at = len(self._text) if cut_off else error.pos
                    self._refuse(f"this is not valid JSON ({error.msg})")
                continue
            except RecursionError:
                self._refuse("the values are nested too deeply")
            except ValueError as error:
                self._refuse(f"a number is too long ({error})")
            if len(self._text) - end < _UNFINISHED and isinstance(value, int | float) and self._more():
                continue
            self._at = end
            return value

    def place(self) -> Place:
        """Return the place of what comes next."""
        text, at = self._text, self._at
        if at > self._counted:
            self._line += text.count("\n", self._counted, at)
            newline = text.rfind("\n", self._counted, at)
            if newline >= 0:
                self._line_begin = newline + 1
            self._counted = at
        return Place(self.file.name, self._line, at - self._line_begin + 1)

    def _inside(self, begin: str, end: str) -> Iterator[None]:
        self._expect(begin)
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse("the values are nested too deeply")
        if self.peek() != end:
            yield
            while self.peek() != end:
                self._expect(",")
                self.peek()
                yield
        self._at += 1
        self._depth -= 1

    def _expect(self, mark: str) -> None:
        if self.peek() != mark:
            self._refuse(f"this is not valid JSON (there should be {mark!r})")
        self._at += 1

    def _refuse(self, reason: str) -> NoReturn:
        if self._ended and not self._text[self._at :].strip():
            reason = "this is not valid JSON: the file ends in the middle of it; it was cut off, so fetch it again"
        self.place().refuse(reason)

    def _more(self) -> bool:
        """Read on, at least as much again as is at hand; return False at the end."""
        self.place()
        kept = self._text[self._at :]
        wanted, pieces = max(len(kept), 1), [kept]
        while wanted > 0:
            piece = next(self._pieces, None)
            if piece is None:
                self._ended = True
                break
            if piece:
                pieces.append(piece)
                wanted -= len(piece)
        if len(pieces) == 1:
            return False
        self._text = "".join(pieces)
        self._line_begin -= self._at
        self._counted -= self._at
        self._at = 0
        return True


_NESTED = ("hits", "response", "responses")
_UNSAID = QueryName()
RowOf = Callable[[Any, QueryName, Place], LoggedRow]


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
        place.refuse('a rated query must be {"query": ..., "ratings": [...]}')
    ratings, failures = lists
    judgments.counts["unrated"] += len(failures) or not ratings  # a query without documents is one
    for rating in ratings:
        if not isinstance(rating, dict) or "docId" not in rating or "rating" not in rating:
            place.refuse(f'a rating of query {found["query"]} must be {{"docId": ..., "rating": ...}}')
        judgments.add(QueryName(text=_text(found["query"])), _text(rating["docId"]), _text(rating["rating"]), place)


def _text(value: Any) -> str:
    if value is None or isinstance(value, dict | list | bool):
        return ""
    return str(value).strip()


def read_search_log(file: TextFile) -> Iterator[LoggedRow]:
    """Read search responses: one, an array of them, those of ``_msearch``, or one a line.

    Solr repeats the query in ``responseHeader.params.q``. Elasticsearch does not: the response, or an object around it,
    must have a member ``query``. Raises a `DataError` where no query is said, or a document has no features.
    """
    stream = JsonStream(file)
    found = False
    while stream.peek():
        for row in _response(stream, _UNSAID):
            if row.query == _UNSAID:
                row.place.refuse(
                    'the log does not name the query of this document; put "query": "..." next to "hits", or write '
                    'one response a line as {"query": ..., "response": ...}'
                )
            found = True
            yield row
    if not found:
        stream.place().refuse("it has no document with logged features")


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
        if key == "query" and stream.peek() in '"-0123456789':
            query = QueryName(text=str(stream.value()).strip())
            continue
        rows: Iterator[LoggedRow] = iter(())
        if key in ("hits", "docs") and stream.peek() == "[":
            rows = _logged(stream, _hit if key == "hits" else _document, query)
        elif key in _NESTED:
            rows = _response(stream, query)
        else:
            told = stream.value()
            query = _solr_query(told) if key == "responseHeader" and query == _UNSAID else query
        for row in rows:
            if row.query == _UNSAID:
                waiting.append(row)
            else:
                yield row
    yield from (row._replace(query=query) for row in waiting)


def _logged(stream: JsonStream, row_of: RowOf, query: QueryName) -> Iterator[LoggedRow]:
    for _ in stream.elements():
        place = stream.place()
        yield row_of(stream.value(), query, place)


def _solr_query(header: Any) -> QueryName:
    params = header.get("params") if isinstance(header, dict) else None
    asked = params.get("q") if isinstance(params, dict) else None
    return QueryName(text=asked.strip()) if isinstance(asked, str) else _UNSAID


def _hit(hit: Any, query: QueryName, place: Place) -> LoggedRow:
    """The log of a hit: ``fields._ltrlog[0].log_entry1: [{"name": "title_query", "value": 9.5}]``.

    A feature without a match has no value.
    """
    if not isinstance(hit, dict) or "_id" not in hit:
        place.refuse("a hit has no _id, so it cannot be joined with a judgment")
    fields = hit.get("fields")
    entries = fields.get("_ltrlog") if isinstance(fields, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        place.refuse(f"hit {hit['_id']} has no features (fields._ltrlog); ask for them with ext.ltr_log in the search")
    listed = [features for entry in entries for features in entry.values() if isinstance(features, list)]
    features = [feature for found in listed for feature in found]
    if not all(isinstance(feature, dict) and isinstance(feature.get("name"), str) for feature in features):
        place.refuse(f"a feature of hit {hit['_id']} has no name")
    names = tuple([feature["name"] for feature in features if "value" in feature])
    values = [feature["value"] for feature in features if "value" in feature]
    if len(set(names)) < len(names):  # several queries of the search log one feature set
        told = dict(zip(names, values, strict=True))
        if all(told[name] == value for name, value in zip(names, values, strict=True)):
            names, values = tuple(told), list(told.values())
    return _row(query, str(hit["_id"]), names, values, place)


def _document(document: Any, query: QueryName, place: Place) -> LoggedRow:
    """The log of a document of Solr: ``"[features]": "a=0.02,b=0.0"``."""
    if not isinstance(document, dict) or "id" not in document:
        place.refuse("a document has no id; ask for it with fl=id,[features]")
    told = document.get("[features]")
    if not isinstance(told, str):
        place.refuse(f"document {document['id']} has no features; ask for them with fl=id,[features]")
    pairs = [pair.rpartition("=") for pair in told.split(",")] if told.strip() else []
    names = tuple([name.strip() for name, _, _ in pairs])
    try:
        values = list(read_numbers([value for _, _, value in pairs]))
    except ValueError:
        values = []
    if len(values) < len(pairs) or not all(names):
        wrong = next(p for p in pairs if not p[0].strip() or not is_number(p[2]))
        place.refuse(f"document {document['id']}: {''.join(wrong)!r} among its features is not written name=value")
    return _row(query, str(document["id"]), names, values, place)


def _row(query: QueryName, document: str, names: tuple[str, ...], values: list[Any], place: Place) -> LoggedRow:
    if not set(map(type, values)) <= {float, int}:
        name, value = next((n, v) for n, v in zip(names, values, strict=True) if type(v) not in (float, int))
        place.refuse(f"feature {name} of document {document}: {value_problem(str(value))}")
    try:
        told = [float(value) for value in values]
    except OverflowError:
        place.refuse(f"a feature of document {document} is too large for a number with a fraction")
    return LoggedRow(query, document, "", names, told, place)
