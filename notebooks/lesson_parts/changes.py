"""`Changes`: what is different between two versions of a program, as HTML and as text."""

import difflib
from dataclasses import dataclass
from html import escape

_CONTEXT = 2  # unchanged lines around a change
_LOOKS = {
    "+": ("ins", "background:rgba(46,133,64,0.22);border-left:0.35em solid #2e8540"),
    "-": ("del", "background:rgba(178,59,59,0.16);border-left:0.35em dotted #b23b3b"),
}
"""Element and style of a line. Signs and borders tell added from removed without any colour."""


@dataclass(frozen=True, repr=False)
class Changes:
    """The way from one version of a program to the next. `names` are those of the two versions."""

    before: str
    after: str
    names: tuple[str, str]

    @property
    def lines(self) -> list[str]:
        """A unified diff, without the lines that name files."""
        unified = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), n=_CONTEXT, lineterm=""
        )
        return list(unified)[2:]

    @property
    def added(self) -> int:
        return sum(line.startswith("+") for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line.startswith("-") for line in self.lines)

    @property
    def title(self) -> str:
        old, new = self.names
        if not self.lines:
            return f"{old} and {new} are the same."
        return f"From {old} to {new}: {self.added} lines added, {self.removed} removed."

    def __repr__(self) -> str:
        return "\n".join([self.title, *self.lines])

    def _repr_html_(self) -> str:
        rows = "".join(_row(line) for line in self.lines)
        return (
            f"<p><b>{escape(self.title)}</b></p>"
            "<pre style='overflow-x:auto;line-height:1.45;border:1px solid #8c959f;"
            f"padding:0.4em 0'>{rows}</pre>"
        )


def _row(line: str) -> str:
    """One line of the diff. A line that says where the next change is becomes an ellipsis."""
    if line.startswith("@@"):
        return "<span style='display:block;padding-left:0.75em'>⋯</span>"
    element, style = _LOOKS.get(line[0], ("span", "border-left:0.35em solid transparent"))
    return (
        f"<{element} style='display:block;padding-left:0.4em;text-decoration:none;{style}'>"
        f"{escape(line[0])} {escape(line[1:])}</{element}>"
    )
