"""Drawings in SVG, kept to shapes and text: no script, no address, no references that multiply."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

from defusedxml.ElementTree import fromstring

_SVG = "{http://www.w3.org/2000/svg}"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_PICTURE = re.compile(r"data:image/(png|jpeg);base64,[A-Za-z0-9+/=\s]+")
_INSIDE = re.compile(r"url\(\s*[\"']?#[^)]*\)")
_CONTAINERS = frozenset(
    {"clipPath", "defs", "linearGradient", "marker", "pattern", "radialGradient", "symbol"}
)
_KEPT = _CONTAINERS | frozenset(
    {
        "circle",
        "desc",
        "ellipse",
        "g",
        "image",
        "line",
        "path",
        "polygon",
        "polyline",
        "rect",
        "stop",
        "style",
        "svg",
        "text",
        "title",
        "tspan",
        "use",
    }
)

register_namespace("", _SVG[1:-1])
register_namespace("xlink", _HREFS[1][1:-5])


def clean_svg(text: str) -> str | None:
    """The drawing without anything but shapes and text, or None if it is none."""
    try:
        root = fromstring(text.strip())
        if root.tag != f"{_SVG}svg":
            return None
        _drop_elements(root)
        for element in root.iter():
            _drop_attributes(element)
        _cut_chains(root)
        return tostring(root, encoding="unicode")
    except (ParseError, ValueError, RecursionError):
        return None


def _drop_elements(root: Element) -> None:
    for parent in list(root.iter()):
        for child in list(parent):
            if not _is_kept(child):
                parent.remove(child)


def _is_kept(element: Element) -> bool:
    if element.tag == f"{_SVG}style":
        return _harmless(element.text or "")
    # A comment has a function for a tag.
    return isinstance(element.tag, str) and element.tag.removeprefix(_SVG) in _KEPT


def _drop_attributes(element: Element) -> None:
    for name, value in list(element.attrib.items()):
        if name in _HREFS:
            kept = value.startswith("#") or (
                element.tag == f"{_SVG}image" and _PICTURE.fullmatch(value) is not None
            )
        else:
            kept = not name.lower().startswith("on") and _harmless(value)
        if not kept:
            del element.attrib[name]


def _harmless(style: str) -> bool:
    """Whether a style or an attribute names nothing outside of the drawing."""
    rest = _INSIDE.sub("", style).lower()
    return not any(word in rest for word in ("url", "@", "\\", "javascript:", "data:"))


def _cut_chains(root: Element) -> None:
    """Drop references to what holds references: a few lines of them could draw a billion shapes."""
    parents = {child: parent for parent in root.iter() for child in parent}

    def ancestors(element: Element) -> Iterator[Element]:
        above: Element | None = element
        while above is not None:
            yield above
            above = parents.get(above)

    chained: set[str] = set()
    for element in root.iter():
        if not _refers(element):
            continue
        above = list(ancestors(element))
        if any(each.tag.removeprefix(_SVG) in _CONTAINERS for each in above):
            _unlink(element)
        else:
            chained.update(each.get("id", "") for each in above)
    for element in root.iter():
        if any(element.get(name, "")[1:] in chained for name in _HREFS if element.get(name)):
            _unlink(element)


def _refers(element: Element) -> bool:
    return any(name in _HREFS or "url(" in value.lower() for name, value in element.attrib.items())


def _unlink(element: Element) -> None:
    for name, value in list(element.attrib.items()):
        if name in _HREFS or "url(" in value.lower():
            del element.attrib[name]
