"""Short forms of the names in the published lists of features: words that a person can say, such as "BM25 · title"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

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
_LINKS = {
    f"Hyperlink based {what} propagation: {how} {way}-link": f"{how} {way}link {short}"
    for what, short in {"score": "score", "feature": "feat."}.items()
    for how in ("weighted", "uniform")
    for way in ("in", "out")
}
_WHOLE = _LINKS | {
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
