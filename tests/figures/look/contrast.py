"""Contrast of two colours as WCAG 2.1 defines it: 1 for equal ones, 21 for black on white."""

Colour = tuple[float, float, float]
BACKGROUNDS = ("#ffffff", "#0e1117", "#191816")
"""Of the light theme, of Streamlit's dark one, and of the dark report."""


def colour(hexadecimal: str) -> Colour:
    """Red, green and blue from 0 to 255, of ``#rrggbb``."""
    red, green, blue = (int(hexadecimal[k : k + 2], 16) for k in (1, 3, 5))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    shares = [channel / 255 for channel in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
