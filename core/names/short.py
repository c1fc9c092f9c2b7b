"""Short names that stay different: published ones as people say them, else the words that tell one from the others."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

_OF_FIELD = re.compile(r"(?P<what>.+?)\s*(?: of (?P<of>[\w ]+)| \| (?P<bar>[\w ]+)|\bin '(?P<quoted>[\w +]+)')")
_FIELDS = {
    "whole document": "whole",
    "title + abstract": "all text",
    "extracted title": "extr. title",
    "url": "URL",
} | {field: field for field in ("body", "anchor", "title", "URL", "abstract")}
_MODELS = ("TF", "IDF", "DL", "BM25", "log(BM25)", "LMIR.ABS", "LMIR.DIR", "LMIR.JM")
_WHAT = {
    "TF*IDF": "TF·IDF",
    "TF (term frequency)": "TF",
    "IDF (inverse document frequency)": "IDF",
    "DL (document length)": "length",
    "sum_{qi in q&d} TF(qi,d)": "TF",
    "sum log(TF(qi,d)+1)": "log TF",
    "sum TF(qi,d)/LEN(d)": "TF/len",
    "sum log(TF(qi,d)/LEN(d)+1)": "log TF/len",
    "sum log(|C|*IDF(qi))  [query-only]": "IDF",
    "sum log(log(|C|*IDF(qi)))  [query-only]": "log IDF",
    "sum log(|C|/TF(qi,C)+1)  [query-only]": "ICF",
    "sum log(TF(qi,d)/LEN(d)*log(|C|*IDF(qi))+1)": "TF·IDF/len",
    "sum TF(qi,d)*log(|C|*IDF(qi))": "TF·IDF",
    "sum log(TF(qi,d)/LEN(d)*|C|/TF(qi,C)+1)": "TF·ICF/len",
    "covered query term number": "covered terms",
    "covered query term ratio": "covered share",
    "stream length": "length",
    "boolean model": "Boolean",
    "vector space model": "vector space",
    **{model: model for model in _MODELS},
    **{
        f"{many} of {what}": f"{short} {of}"
        for many, short in {"sum": "sum", "min": "min", "max": "max", "mean": "mean", "variance": "var."}.items()
        for what, of in {
            "term frequency": "TF",
            "stream length normalized term frequency": "TF/len",
            "tf*idf": "TF·IDF",
        }.items()
    },
}
"""What is measured, in the words of LETOR 3.0, LETOR 4.0 and MSLR; the field of the text stands apart."""
_PROPAGATIONS = {
    f"Hyperlink based {what} propagation: {how} {way}-link": f"{how} {way}link {short}"
    for what, short in {"score": "score", "feature": "feat."}.items()
    for how in ("weighted", "uniform")
    for way in ("in", "out")
}
_WHOLE = _PROPAGATIONS | {
    "Sitemap based term propagation": "sitemap terms",
    "Sitemap based score propagation": "sitemap scores",
}


def spoken(names: Sequence[str]) -> list[str]:
    """Give each name of a published list its short form; all others stay whole.

    A set that measures fields which no published list has, such as "TF of signature", is a person's own: it stays as
    it is. Two names that would have one form stay whole, too.
    """
    found = [_OF_FIELD.fullmatch(name) for name in names]
    parts = [None if one is None else (one["what"], one["of"] or one["bar"] or one["quoted"]) for one in found]
    if any(part is not None and part[0] in _WHAT and part[1] not in _FIELDS for part in parts):
        return list(names)
    forms = [
        f"{_WHAT[part[0]]} · {_FIELDS[part[1]]}" if part is not None and part[0] in _WHAT else _WHOLE.get(name, name)
        for name, part in zip(names, parts, strict=True)
    ]
    counts = Counter(forms)
    return [form if counts[form] == 1 else name for form, name in zip(forms, names, strict=True)]


_CHUNK = re.compile(r"[(\[][^()\[\]]*[)\]](?!\S)|\S+")
_ASIDE = re.compile(r"[(\[].*[)\]]")  # an explanation in brackets of its own: one word
_WORD = re.compile(r"\w+(?:\.\w+)*")
_LINKS = frozenset({"of", "in", "by", "the", "a", "an", "and", "for", "to", "with", "per"})
LONGEST = 22
"""Characters of a feature's label, the same in every picture: so one name has one label."""
_QUOTES = "'\"‘’“”"
_GAP = "…"


def shortened(text: str, longest: int) -> str:
    """The beginning of a text that has no room for more, in one line, with a gap at its end."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    words, _, _ = line[:longest].rpartition(" ")
    return f"{words if len(words) > longest // 2 else line[: longest - 1]}{_GAP}"


def short_names(names: Sequence[str], columns: Iterable[int], longest: int = LONGEST) -> list[str]:
    """Shorten names for labels; what is left of each is no part of more names than the whole was.

    A name of a published list has its form of `spoken`. Of others words are left out and never changed,
    and a gap stands in their place: explanations in brackets first (without a gap), then words that join others, then
    those that most names of the set have. So two different names stay different, and a short name can be of no other
    one.

    Parameters
    ----------
    names : sequence of str
        All names of the set, whether they are shown or not: a name has the same label in every picture.
    columns : iterable of int
        The names to shorten, from 0.
    longest : int
        Characters that a label has room for. A name that is not longer stays as it is. One whose telling words are
        longer is cut, with its number at the end.
    """
    by_chunks, by_pieces = _sets_of(tuple(spoken(names)))
    shown: dict[str, int] = {}
    labels = []
    for j in columns:
        label = by_chunks.short(j, longest)
        if len(label) > longest:
            label = by_pieces.short(j, longest)
        if len(label) > longest or shown.setdefault(label, j) != j:
            label = _cut(label, j, longest)
        labels.append(label)
    return labels


class _Name:
    """A name in chunks between blanks, and their words; ``places`` has the chunk of each word.

    A chunk is a word, as ``TF*IDF`` and ``log(BM25)`` are, or all its pieces are words.
    """

    def __init__(self, name: str, words_of: Callable[[str], list[str]]) -> None:
        self.chunks = [match[0] for match in _CHUNK.finditer(name)]
        self.words: list[str] = []
        self.places: list[int] = []
        for place, chunk in enumerate(self.chunks):
            words = [chunk] if _ASIDE.fullmatch(chunk) else words_of(chunk)
            self.words += words
            self.places += [place] * len(words)

    def text(self, kept: set[int], marks: bool = True) -> str:
        """The kept words, with a gap for those left out; ``marks`` that stand alone only where there is room."""
        text, left_out = "", False
        for place, chunk in enumerate(self.chunks):
            own = [k for k, at in enumerate(self.places) if at == place]
            here = [k for k in own if k in kept]
            if own and not here:
                left_out = left_out or not _ASIDE.fullmatch(chunk)  # what an explanation explains stands beside it
                continue
            if not own:
                before = [k for k, at in enumerate(self.places) if at < place][-1:]
                after = [k for k, at in enumerate(self.places) if at > place][:1]
                if not (marks and before and after and {*before, *after} <= kept):
                    continue
                part = chunk
            else:
                part = chunk.strip(_QUOTES) if here == own else self._pieces(chunk, own, here)
            between = _GAP if left_out else " " if text else ""
            text, left_out = f"{text}{between}{part}", False
        return re.sub(f"{_GAP}+", _GAP, f"{text}{_GAP}" if left_out else text)

    @staticmethod
    def _pieces(chunk: str, own: Sequence[int], here: Sequence[int]) -> str:
        """Some words of one chunk, with a gap for what is left out."""
        spans = dict(zip(own, (match.span() for match in _WORD.finditer(chunk)), strict=True))
        text = ("" if here[0] == own[0] else _GAP) + chunk[slice(*spans[here[0]])]
        for before, k in pairwise(here):
            text += (chunk[spans[before][1] : spans[k][0]] if k == before + 1 else _GAP) + chunk[slice(*spans[k])]
        return text if here[-1] == own[-1] else f"{text}{_GAP}"


class _Names:
    """A set of names by their words."""

    def __init__(self, names: tuple[str, ...], words_of: Callable[[str], list[str]]) -> None:
        self.names = names
        self.parsed = [_Name(name, words_of) for name in names]
        self.holders: dict[str, set[int]] = {}
        for j, name in enumerate(self.parsed):
            for word in name.words:
                self.holders.setdefault(word, set()).add(j)

    def short(self, j: int, longest: int) -> str:
        name = self.parsed[j]
        if len(self.names[j]) <= longest:
            return self.names[j]
        kept = set(range(len(name.words)))
        text = self.names[j]
        for k in sorted(kept, key=lambda k: (*self._worth(name.words[k]), -k)):
            if len(kept) > 1 and not self._more_hold(j, [name.words[i] for i in sorted(kept - {k})]):
                kept.remove(k)
                text = name.text(kept)
                if len(text) <= longest:
                    return text
        return name.text(kept, marks=False) or text

    def _worth(self, word: str) -> tuple[bool, bool, int]:
        return not _ASIDE.fullmatch(word), word not in _LINKS, -len(self.holders[word])

    def _more_hold(self, j: int, words: Sequence[str]) -> bool:
        """Whether these words are in order in a name in which not all words of name ``j`` are."""
        rarest = sorted({*words}, key=lambda word: len(self.holders[word]))
        candidates = set.intersection(*(self.holders[word] for word in rarest)) - {j}
        whole = self.parsed[j].words
        return any(_holds(self.parsed[i].words, words) and not _holds(self.parsed[i].words, whole) for i in candidates)


@lru_cache(maxsize=8)
def _sets_of(names: tuple[str, ...]) -> tuple[_Names, _Names]:
    return _Names(names, _whole), _Names(names, _WORD.findall)


def _whole(chunk: str) -> list[str]:
    return [chunk.strip(_QUOTES)] if _WORD.search(chunk) else []


def _holds(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Whether the part's words are among the whole's, in this order."""
    rest = iter(whole)
    return all(word in rest for word in part)


def _cut(text: str, j: int, longest: int) -> str:
    """A beginning and the name's number, which no other has."""
    number = f"{_GAP} {j + 1}"
    return f"{text[: max(longest - len(number), 1)].rstrip(_GAP)}{number}"
