"""A linear model as a page to read and to print: its features, its scaling, and what it was measured at."""

from __future__ import annotations

from typing import Any

from core.export.models.linear_model import LinearModel

MEASURES = ("MAP", "NDCG@1", "NDCG@5", "NDCG@10", "P@10", "Top")


def model_page(model: LinearModel, name: str) -> str:
    """Write one HTML file that asks no other machine for anything."""
    from core.experiments.results.printed_table import plain_table
    from core.export.html_report import Section, html_report

    constants = "" if model.scaling == "none" else "A term of the score is weight · (value − subtract) / divide."
    features = plain_table("features", "Features, by absolute weight.", constants, _feature_rows(model))
    sections = [Section("Features", tables=(features,))]
    measured = _measured_rows(model)
    if measured:
        convention, expected = model.origin.get("convention", ""), model.origin.get("expected_over_ties", {})
        note = f"{convention} convention; documents with the same score count in expectation over their orders."
        if convention != "standard":
            note = f"{convention} convention; documents with the same score keep the order of the file."
            told = [
                f"{part} {m} {v:.4f}" for part, values in expected.items() for m, v in values.items() if m in MEASURES
            ]
            note += f" Over their orders: {', '.join(told)}." if told else ""
        sections.append(Section("Measures", tables=(plain_table("measures", "Mean over queries.", note, measured),)))
    origin = [{"what": key, "value": str(value)} for key, value in model.origin.items() if not isinstance(value, dict)]
    origin += [{"what": key, "value": str(value)} for key, value in model.origin.get("training", {}).items()]
    if origin:
        sections.append(Section("Origin", tables=(plain_table("origin", "How it was fitted.", "", origin),)))
    return html_report(name, (model.description,), sections)


def _feature_rows(model: LinearModel) -> list[dict[str, Any]]:
    largest_first = sorted(model.features, key=lambda feature: -abs(feature.weight))
    rows: list[dict[str, Any]] = []
    for f in largest_first:
        row: dict[str, Any] = {"feature": f.name, "index": f.index, "weight": f"{f.weight:.4g}"}
        if model.scaling != "none":
            row |= {"subtract": f"{f.subtract:.4g}", "divide": f"{f.divide:.4g}"}
        rows.append(row | {"lowest": f"{f.lowest:.4g}", "highest": f"{f.highest:.4g}"})
    return rows


def _measured_rows(model: LinearModel) -> list[dict[str, Any]]:
    parts = model.origin.get("metrics", {})
    return [
        {"part": part} | {measure: values[measure] for measure in MEASURES if measure in values}
        for part, values in parts.items()
    ]
