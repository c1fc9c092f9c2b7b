"""Numbers of things, in words."""

FEWER_MORE = ("← fewer features", "more →")
"""What a larger C does, at the two ends of every scale of C."""


def counted(count: int | str, one: str, many: str = "") -> str:
    """So many of something: "1 step", "1,200 steps", "17–21 features"; ``many`` is the plural where it has no s."""
    number = count if isinstance(count, str) else f"{count:,}"
    return f"{number} {one if number == '1' else many or f'{one}s'}"


def features(count: int | str) -> str:
    """A number of features, or a range such as "17–21"."""
    return counted(count, "feature")
