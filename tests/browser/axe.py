"""What axe finds on a page, and what it cannot judge: letters in pictures, and whether focus is seen."""

from importlib import resources
from typing import Any, Literal

from playwright.sync_api import Page

STREAMLIT = {
    "empty-table-header": (
        'role="columnheader"',
        "the column of a table that ticks rows, or names them, has no title of its own",
    ),
    "presentation-role-conflict": (
        "stFileUploaderDropzone",
        "the ground on which a file is dropped says that it is no control, and can take the focus; its button can, too",
    ),
    "region": ("stFloatingOverlayPortal", "a hint that is shown stands outside of all landmarks"),
}
"""Rules that elements of Streamlit break, which no option, theme or style of an app mends: what the element's HTML has,
and why."""

_RUN = """async within => {
  const rules = Object.fromEntries(
    ["target-size", "label-content-name-mismatch", "scrollable-region-focusable"].map(id => [id, {enabled: true}]));
  const {violations} = await axe.run(within ?? document, {resultTypes: ["violations"], rules});
  return violations.map(({id, nodes}) => ({id, nodes: nodes.map(({target, html, any, all}) =>
    `${target.flat().join(" ")} ${html.slice(0, 160)}: ${[...any, ...all].map(({message}) => message).join("; ")}`)}));
}"""
# What a script is about to replace is pale until it has ended. A fade that has begun may wait for a frame that a busy
# machine draws late: it is brought to its end here.
AT_FULL = """() => {
  for (const one of document.getAnimations()) if (/opacity|color/.test(one.transitionProperty ?? "")) one.finish();
  return !document.querySelector('[data-stale="true"]');
}"""
# Texts in pictures with less than 4.5 : 1 on the page. What stands on a bar or a cell has another ground: Plotly
# chooses black or white for it.
_PALE = """() => {
  const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = colour => colour.map(value => value / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [.2126, .7152, .0722][k], 0);
  const ground = numbers(getComputedStyle(document.querySelector(".stApp")).backgroundColor).slice(0, 3);
  const pale = [];
  for (const text of document.querySelectorAll(".live-chart svg :is(text, tspan)")) {
    const said = [...text.childNodes].filter(node => node.nodeType === 3).map(node => node.textContent).join("").trim();
    const elsewhere = text.closest(".bars, .heatmaplayer, .hoverlayer, .gtitle, .modebar");
    if (!said || elsewhere || !text.checkVisibility()) continue;
    const {fill, fillOpacity} = getComputedStyle(text);
    const [red, green, blue, alpha = 1] = numbers(fill);
    let share = alpha * fillOpacity;
    for (let part = text; part; part = part.parentElement) share *= getComputedStyle(part).opacity;
    const seen = [red, green, blue].map((value, k) => value * share + ground[k] * (1 - share));
    const [dark, light] = [seen, ground].map(luminance).sort((a, b) => a - b);
    const contrast = (light + .05) / (dark + .05);
    if (contrast < 4.5) pale.push(`${said}: ${fill}, ${contrast.toFixed(2)}`);
  }
  return pale;
}"""
# A picture is drawn anew a moment after the theme has changed.
_FOLLOWED = """() => [...document.querySelectorAll(".live-chart")].every(chart => {
  const {layout} = chart.live, ground = getComputedStyle(chart).getPropertyValue("--st-background-color").trim();
  return !layout || layout.template.layout.paper_bgcolor === ground;
})"""


def violations(page: Page, within: str | None = None) -> dict[str, Any]:
    """What axe finds on the page or in one part of it, by rule, without what is Streamlit's own."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    ours = {}
    for found in page.evaluate(_RUN, within):
        element, _ = STREAMLIT.get(found["id"], (None, ""))
        nodes = [node for node in found["nodes"] if element is None or element not in node]
        if nodes:
            ours[found["id"]] = nodes
    return ours


def in_theme(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Show the page in this theme, its pictures too."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme", arg=scheme
    )
    page.wait_for_function(_FOLLOWED)


def pale_letters(page: Page) -> list[str]:
    """Letters of pictures that do not stand out from the page, when no script is about to replace them."""
    pale: list[str] = page.wait_for_function(f"() => ({AT_FULL})() && ({_PALE})()").json_value()
    return pale
