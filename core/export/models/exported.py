"""A model on its way out: the files, and what a person has to know about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from core.data.errors import refuse
from core.export.files import not_an_input, write_files
from core.export.models.formats import ModelFormat
from core.export.models.linear_model import LinearModel
from core.export.models.search_engines import FeatureSet, PrunedSet, least_shift, prune, read_feature_set

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
WITHIN_QUERIES = (
    "The features in the data file are scaled within each query. The other program gives the same ranking only if it "
    "scales the features of each query in the same way."
)


@dataclass(frozen=True)
class ExportedModel:
    """A model in a format: files by name, the model's first, then the pruned feature set, if a set was given.

    ``notes`` are sentences on what differs from the program's own scores, and on what to do next; ``record`` has all of
    it as plain values.
    """

    files: Mapping[str, bytes]
    notes: tuple[str, ...]
    pruned: PrunedSet | None
    record: Mapping[str, Any]


def export_model(
    model: LinearModel, to: ModelFormat, file_name: str, *, name: str | None = None, whole: FeatureSet | None = None
) -> ExportedModel:
    """Write a model in a format; ``whole`` is the feature set to prune for Elasticsearch or OpenSearch.

    The model's ``name`` in the other program is `usual_name` by default. Raises a `DataError` if it cannot be used, two
    features have the same name, the set lacks one, or the format cannot hold the model; a `ValueError` if the format
    has no feature sets.
    """
    if whole is not None and not to.feature_sets:
        msg = f"a feature set is pruned for elasticsearch or opensearch; {to.id} has none"
        raise ValueError(msg)
    called = checked_name(usual_name(model) if name is None else name)
    names = [feature.name for feature in model.features]
    if to.by_name and (repeated := [one for one, times in Counter(names).items() if times > 1]):
        refuse(
            f"more than one feature of the model is named {repeated[0]!r}, and {to.title} identifies features by name"
        )
    pruned = None if whole is None else prune(whole, model)
    content = to.write(model, called)
    files = {file_name: content.encode() if isinstance(content, str) else content}
    if pruned is not None:
        files[feature_set_name(file_name)] = pruned.pruned.text().encode()
    shift = least_shift(model.features) if to.feature_sets else 0.0
    dropped = model.constant if to.folded else 0.0
    notes = [*model.altered]
    if dropped:
        notes.append(
            f"The scaling is folded into the weights. Scores are the program's {-dropped:+.6g}; the order is the same."
        )
    if shift:
        notes.append(
            f"Scores are the program's {shift:+.6g}, because the engine does not accept negative ones; the order is "
            "the same. No score is negative while values stay within the ranges of the training part."
        )
    if model.within_queries:
        notes.append(WITHIN_QUERIES)
    if pruned is not None:
        notes.append(_pruned_words(pruned, feature_set_name(file_name)))
    notes.append(to.next_step.format(file=file_name, name=called))
    record: dict[str, Any] = {
        "format": to.id,
        "name": called if to.named else None,
        "model": model.description,
        "features": names,
        "scaling": model.scaling,
        "added_to_scores": shift - dropped,
        "files": list(files),
    }
    if pruned is not None:
        record["feature_set"] = {
            "before": len(pruned.whole.features),
            "after": len(pruned.pruned.features),
            "saved": pruned.saved,
            "kept_for_other_features": list(pruned.for_others),
            "kept_before_scripts": list(pruned.unseen),
        }
    return ExportedModel(files, tuple(notes), pruned, record | {"notes": notes})


def write_model(
    model: LinearModel, to: ModelFormat, out: Path, *, name: str | None, feature_set: Path | None, read: Sequence[Path]
) -> ExportedModel:
    """Write the files of `export_model` to their places: the model to ``out``, the pruned feature set beside it.

    Raises as `export_model` and `read_feature_set`; a `ValueError` if a file is one of those ``read``; an `OSError` if
    one cannot be written.
    """
    whole = None if feature_set is None else read_feature_set(feature_set)
    exported = export_model(model, to, out.name, name=name, whole=whole)
    for file in exported.files:
        not_an_input(out.parent / file, (*read, *filter(None, [feature_set])))
    write_files(out.parent, exported.files)
    return exported


def usual_name(model: LinearModel) -> str:
    """Make a name of the data and the method, such as ``mq2008_log``."""
    words = [str(model.origin[key]) for key in ("dataset", "method") if key in model.origin]
    name = re.sub(r"[^a-z0-9]+", "_", PurePath("_".join(words)).name.lower()).strip("_")
    return name or "model"


def checked_name(name: str) -> str:
    """Return a model's name if every target can take it: it becomes part of addresses.

    Raises a `DataError` if it cannot be used.
    """
    if not _NAME.fullmatch(name):
        refuse(f"the name {name!r} cannot be part of an address; use letters, digits, '_', '-' and '.'")
    return name


def feature_set_name(file_name: str) -> str:
    """Name the file of the pruned set beside a model's: ``model.json`` has ``model.featureset.json``."""
    return f"{file_name.removesuffix('.json')}.featureset.json"


def _pruned_words(pruned: PrunedSet, file_name: str) -> str:
    before, after = len(pruned.whole.features), len(pruned.pruned.features)
    words = [
        f"{file_name} has the {after} of {before} features that the model needs: {pruned.saved} feature queries per "
        "document are saved."]  # fmt: skip
    if pruned.for_others:
        words.append(f"Needed by others, though without a weight: {', '.join(pruned.for_others)}.")
    if pruned.unseen:
        words.append(
            f"The script does not show what {', '.join(pruned.unseen)} reads, so every feature before it stays."
        )
    return " ".join(words)
