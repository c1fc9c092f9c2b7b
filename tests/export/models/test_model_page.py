"""The page of a model: what it says, and that names from outside stay text."""

from __future__ import annotations

from core.export.models.exported import export_model
from core.export.models.formats import get_format
from core.export.models.linear_model import model_of_record
from tests.export.models.made import by_hand, fitted


def page(record: object) -> str:
    return export_model(model_of_record(record), get_format("html"), "m.html").files["m.html"].decode()


def test_the_page_has_every_feature_and_the_measures_of_every_part() -> None:
    record, _ = fitted("planted", "standard")
    text = page(record)
    for feature in record["features"]:
        assert f">{feature['name']}</th>" in text
    for part, values in record["metrics"].items():
        assert f">{part}</th>" in text
        assert f"{values['NDCG@10']:.4f}" in text
    assert record["training"]["fingerprint"] in text
    assert "standard convention" in text


def test_a_name_from_outside_is_no_markup() -> None:
    text = page(by_hand(("<script>alert(1)</script>", 1.0, 0.0, 1.0)))
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_a_model_without_scaling_has_no_constants_on_its_page() -> None:
    assert "subtract" not in page(by_hand(("a", 1.0, 0.0, 1.0)))
    assert "subtract" in page(by_hand(("a", 1.0, 0.5, 2.0), scaling="standard"))
