"""The templates of all pages about grades. A page is one file that loads and runs nothing."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from course_utils.inline import inline

_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def page(template: str, **values: Any) -> str:
    """The page that `template` makes of `values`, in characters that every encoding has."""
    html = _environment().get_template(f"{template}.html.j2").render(values)
    return html.encode("utf-8", "replace").decode("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["inline"] = lambda text: Markup(inline(text))
    environment.filters["prose"] = lambda text: Markup(_MARKDOWN.renderInline(text))
    environment.filters["capitalised"] = lambda text: text[:1].upper() + text[1:]
    environment.filters["number"] = lambda value: f"{round(value, 2):g}"
    return environment
