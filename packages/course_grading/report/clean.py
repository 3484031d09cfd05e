"""Content from a student's notebook, made safe for our pages.

The result runs nothing, loads nothing, has no links, and does not look like a heading of the page.
"""

import base64
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

from defusedxml.ElementTree import fromstring
from markdown_it import MarkdownIt
from markupsafe import Markup
from nbconvert.filters import strip_ansi
from nh3 import Cleaner
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

TEXT = 8_000  # characters
CODE = 20_000
PICTURE = 2_000_000
PIXELS = 30_000_000
OUTPUTS = 12  # of a cell

RICH = 40_000
TAGS = 4_000
ATTRIBUTES = 8_000
"""Limits for a piece of HTML: characters, tags, and possible attributes. The parser's time can grow
with the square of the number of tags and of attributes."""

ALT = "A picture that your notebook saved"

PAGE = 12_000_000
WORK = 300_000

_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF"}
_SVG = "http://www.w3.org/2000/svg"
_SOURCE = re.compile(r"data:(image/[a-z+]+);base64,([A-Za-z0-9+/=\s]+)")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SEPARATORS = re.compile(r"[\s/]+")
_ACTIVE = re.compile(r"javascript|widget|vnd\.", re.IGNORECASE)
_HEADING = re.compile(r"<(/?)h[1-6](?=[\s/>])", re.IGNORECASE)
_PICTURE = re.compile(r'<img(?: \w+="[^"]*")*>')
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
# fmt: off
_TAGS = {
    "abbr", "b", "blockquote", "br", "caption", "cite", "code", "col", "colgroup", "dd", "del",
    "details", "div", "dl", "dt", "em", "figcaption", "figure", "hr", "i", "img", "ins", "kbd",
    "li", "mark", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "u", "ul", "var", "wbr",
}
_HIDDEN = {"script", "style", "template", "noscript", "title", "textarea"}
_COUNTS = {"width", "height", "colspan", "rowspan", "start", "span"}
_STYLES = {
    "background-color", "border-collapse", "color", "font-style", "font-weight", "text-align",
    "text-decoration", "white-space",
}
# fmt: on
_REFERENCE = re.compile(r"url\(\s*[\"']?#([^)\"'\s]+)", re.IGNORECASE)

register_namespace("", _SVG)


def terminal_text(text: str, limit: int = TEXT) -> Markup:
    """Text as a terminal shows it; only the beginning and the end of a long text."""
    lines = strip_ansi(shortened(text, limit)).split("\n")
    seen = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)
    return Markup("<pre>{}</pre>").format(_CONTROLS.sub("", seen))


def checker_message(html: str) -> Markup:
    """A message of the checker, cleaned; margin, border and role are kept."""
    return _cleaned(html, _OURS)


@dataclass
class CellRenderer:
    """Renders the content of cells, up to a limit for the page.

    room: characters left on the page. work: characters that may still be parsed as HTML, Markdown
        or Python.
    """

    room: int = PAGE
    work: int = WORK

    def prose(self, source: str) -> Markup:
        """Rendered Markdown, including HTML in it."""
        return self._take(self._parsed, source, self._markdown)

    def attached(self, cell: Mapping[str, Any]) -> list[Markup]:
        """The pictures that were pasted into a text cell."""
        bundles = cell.get("attachments", {}).values()
        return self.outputs([{"output_type": "display_data", "data": each} for each in bundles])

    def python(self, source: str) -> Markup:
        """Python with syntax highlighting."""
        return self._take(self._parsed, source, _highlighted)

    def outputs(self, outputs: list[Mapping[str, Any]]) -> list[Markup]:
        """The outputs, made safe; of more than `OUTPUTS`, the first and the last ones."""
        half, left_out = OUTPUTS // 2, len(outputs) - OUTPUTS
        kept = [*outputs[:half], *outputs[-half:]] if left_out > 0 else outputs
        shown = [self._take(self._output, each) for each in kept]
        if left_out > 0:
            shown.insert(half, _note(f"{left_out} outputs are left out here."))
        return shown

    def _take(self, show: Callable[..., Markup], *what: Any) -> Markup:
        if self.room <= 0:
            return _note("Not shown: this notebook is too large for one page.")
        try:
            shown = show(*what)
        except Exception as error:  # a student can write a notebook that a parser cannot read
            shown = _note(f"This cannot be shown ({type(error).__name__}).")
        self.room -= len(shown)
        return shown

    def _parsed(self, text: str, parse: Callable[[str], Markup | None]) -> Markup:
        """A source rendered by `parse`, or as plain text if that is too much work."""
        source = shortened(text, CODE)
        if len(source) > self.work:
            return terminal_text(source)
        self.work -= len(source)
        return parse(source) or terminal_text(source)

    def _markdown(self, source: str) -> Markup | None:
        return self._rich(MarkdownIt().enable(["table", "strikethrough"]).render(source))

    def _output(self, output: Mapping[str, Any]) -> Markup:
        match output.get("output_type"):
            case "stream":
                return terminal_text(_text(output.get("text")))
            case "error":
                return terminal_text("\n".join(map(_text, output.get("traceback") or ())))
        data = {mime: _text(value) for mime, value in dict(output.get("data") or {}).items()}
        if any(_ACTIVE.search(mime) for mime in data):
            return _note("An interactive output is not shown here.")
        if shown := self._rich(data.get("text/html", "")):
            return shown
        for mime in ("image/svg+xml", *_FORMATS):
            if mime in data:
                if source := _picture_source(mime, data[mime]):
                    return Markup('<img alt="{}" src="{}">').format(ALT, source)
                return _note("A picture that cannot be shown here.")
        if "text/markdown" in data:
            return self._parsed(data["text/markdown"], self._markdown)
        return terminal_text(data.get("text/latex") or data.get("text/plain") or "")

    def _rich(self, html: str) -> Markup | None:
        """HTML without active parts: no headings, addresses, names or sizes.

        None if it is empty, or too much to clean in a second or two. Pictures make it long, but do
        not count as work for the parser.
        """
        if len(html) > PAGE:
            return None
        work = _SOURCE.sub("", html)
        if not work or len(work) > min(RICH, self.work) or not _is_simple(work):
            return None
        self.work -= len(work)
        return _cleaned(html, _STUDENTS)


def _highlighted(source: str) -> Markup:
    return Markup(highlight(_CONTROLS.sub("", source), PythonLexer(), HtmlFormatter()))


def shortened(text: str, limit: int) -> str:
    """`text`; if too long, its beginning and end, with a line on the missing part between them."""
    if len(text) <= limit:
        return text
    half, missing = limit // 2, f"{len(text) - limit:,}"
    return f"{text[:half]}\n… {missing} characters left out …\n{text[-half:]}"


def _is_simple(html: str) -> bool:
    separated = len(_SEPARATORS.findall(html)) + (html.count('"') + html.count("'")) // 2
    return html.count("<") <= TAGS and separated <= ATTRIBUTES


def _text(value: object) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _note(text: str) -> Markup:
    return Markup("<p class='note'>{}</p>").format(text)


def _cleaner(styles: set[str]) -> Cleaner:
    return Cleaner(
        tags=_TAGS,
        clean_content_tags=_HIDDEN,
        attributes={"*": {"style", *_COUNTS}, "img": {"alt", "src"}, "th": {"scope"}},
        attribute_filter=_counted,
        tag_attribute_values={"div": {"role": {"status"}}},
        allowed_classes={"p": {"heading"}},
        filter_style_properties=styles,
        url_schemes={"data"},
        link_rel=None,
    )


def _counted(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute; None for a count that is not a number below 1000."""
    return value if name not in _COUNTS or re.fullmatch(r"\d{1,3}", value) else None


_STUDENTS = _cleaner(_STYLES)
_OURS = _cleaner(_STYLES | {"border-left", "margin", "padding"})


def _cleaned(html: str, cleaner: Cleaner) -> Markup:
    """Clean HTML: headings become paragraphs, pictures are checked and get an alt text."""
    tame = _HEADING.sub(r"<\1p class=heading ", _CONTROLS.sub("", html))
    return Markup(_PICTURE.sub(_tame_picture, cleaner.clean(tame)))


def _tame_picture(written: re.Match[str]) -> str:
    """An `<img>` with a safe picture, or a text instead."""
    attributes = {name: unescape(value) for name, value in _ATTRIBUTE.findall(written[0])}
    alt = attributes.setdefault("alt", ALT)
    found = _SOURCE.fullmatch(attributes.get("src", ""))
    if found and (source := _picture_source(found[1], found[2])):
        attributes["src"] = source
        kept = Markup().join(Markup(' {}="{}"').format(*each) for each in attributes.items())
        return Markup("<img{}>").format(kept)
    what = "A picture" if alt == ALT else f"A picture, “{alt}”,"
    return Markup("[{} is not shown here.]").format(what)


def _picture_source(mime: str, data: str) -> str | None:
    """A `data:` address of the picture; None if it cannot be shown."""
    if len(data) > PICTURE:
        return None
    if mime == "image/svg+xml":
        # A notebook contains SVG as text, an address as base64.
        content = safe_svg(data if "<" in data else _decoded(data).decode("utf-8", "replace"))
    else:
        content = _raster(mime, _decoded(data))
    return f"data:{mime};base64,{base64.b64encode(content).decode()}" if content else None


def safe_svg(text: str) -> bytes | None:
    """An SVG for an `<img>`, where a browser runs no scripts of it and loads nothing.

    None if it is not an SVG, or if its references form chains: a few such lines draw a billion
    shapes.
    """
    try:
        root = fromstring(text.strip())
        parts = {each.get("id", ""): each for each in root.iter()}
        used = {name for each in root.iter() for name in _references(each)}
        inside = [inner for name in used & parts.keys() for inner in parts[name].iter()]
        chained = any(_references(each) for each in inside)
        return None if chained or root.tag != f"{{{_SVG}}}svg" else tostring(root, "utf-8")
    except (ParseError, ValueError, RecursionError):
        return None


def _references(element: Element) -> list[str]:
    """The ids in the attributes of an element."""
    hrefs = [
        value[1:]
        for name, value in element.attrib.items()
        if name.endswith("href") and value.startswith("#")
    ]
    return hrefs + _REFERENCE.findall(" ".join(element.attrib.values()))


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data)
    except ValueError:
        return b""


def _raster(mime: str, content: bytes) -> bytes | None:
    if mime not in _FORMATS:
        return None
    try:
        with Image.open(io.BytesIO(content), formats=[_FORMATS[mime]]) as image:
            width, height = image.size
    except Exception:  # Pillow raises many kinds of errors for invalid pictures
        return None
    return content if width * height <= PIXELS else None
