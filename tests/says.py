"""What a sentence says, whatever words it says it in."""

import re


def assert_says(text: str, *facts: str) -> None:
    """Check that `text` has these numbers, names and verdicts, whole and in this order.

    Wording may change without a test; what is claimed may not. "3" is not found in "0.3" or "34".
    """
    start = 0
    for fact in facts:
        before = r"(?<![\w.])" if fact[0].isalnum() else ""
        after = r"(?!\w|[.,]\d)" if fact[-1].isalnum() else ""
        found = re.compile(before + re.escape(fact) + after).search(text, start)
        assert found, f"{fact!r} is not said after {text[:start]!r} in {text!r}"
        start = found.end()
