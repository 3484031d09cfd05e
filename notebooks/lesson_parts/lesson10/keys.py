"""`key_map`: a comparison of a model's keys with those of a state dict."""

from collections import OrderedDict
from collections.abc import Mapping
from copy import deepcopy

import torch

from course_utils.figures.picture import (
    ASIDE,
    INK,
    MONO,
    NOTE,
    PANEL,
    QUIET,
    SMALL,
    WIDTH,
    Dashes,
    Picture,
)
from course_utils.words import counted, listed, shortened

ROW = 0.36
MOST_ROWS = 24
SIDE = (WIDTH - 1.0) / 2
KINDS: dict[str, tuple[str, str, Dashes]] = {
    "matched": ("=", "#e4f1df", "-"),
    "renamed": ("≈", PANEL, (0, (5, 2))),
    "missing": ("?", PANEL, (0, (5, 2))),
    "unexpected": ("+", "#fff8dc", (0, (5, 2))),
    "size": ("≠", "#f6dcd6", (0, (5, 2))),
}
"""For each kind of row: the sign between its two sides, their fill and line."""
LETTER = 0.602 * SMALL / 72
"""Inches: the width of a letter of a key."""


def key_map(
    model: torch.nn.Module, state_dict: Mapping[str, torch.Tensor], *, title: str = "Keys, compared"
) -> Picture:
    """A picture of the keys of `model` next to those of `state_dict`: matched, missing, unexpected.

    Two keys that differ only by a prefix share a row, and the prefix is marked. A key that both
    have with different shapes is a row of its own kind. The counts are those of `load_state_dict`,
    which does not report some missing keys ("forgiven").
    """
    wanted = model.state_dict()
    shared = [key for key in wanted if key in state_dict]
    resized = [key for key in shared if wanted[key].shape != state_dict[key].shape]
    matched = [key for key in shared if key not in resized]
    missing, unexpected = _refused(model, state_dict, resized)
    forgiven = [key for key in wanted if key not in {*missing, *shared}]
    counts = (
        f"{len(matched)} matched, {len(missing)} missing, "
        f"{len(unexpected)} unexpected, {len(resized)} of another size"
    ) + (f", {len(forgiven)} forgiven" if forgiven else "")
    rows = _rows(list(wanted), list(state_dict), resized)
    shown = rows[:MOST_ROWS]
    more = len(rows) - len(shown)
    height = 1.5 + (len(shown) + (more > 0)) * ROW
    page = Picture(height, title)
    right = WIDTH - 0.25 - SIDE
    page.write(0.25 + SIDE / 2, 0.72, "the model's keys", align="center", **ASIDE)
    page.write(right + SIDE / 2, 0.72, "the file's keys", align="center", **ASIDE)
    for number, (kind, ours, theirs) in enumerate(shown):
        level = 0.95 + (number + 0.5) * ROW
        note = "forgiven" if ours in forgiven else _shape(wanted.get(ours))
        _draw_key(page, 0.25, level, kind, ours, theirs, note)
        _draw_key(page, right, level, kind, theirs, ours, _shape(state_dict.get(theirs)))
        page.write(WIDTH / 2, level - 0.02, KINDS[kind][0], align="center", weight="bold")
    if more:
        level = 0.95 + (len(shown) + 0.5) * ROW
        page.write(WIDTH / 2, level, f"… and {more} more", align="center")
    page.write(0.25, height - 0.25, f"load_state_dict: {counts}", size=SMALL)
    page.tell(f"Key map, {title!r}. {counts}.")
    for keys, lead in (
        (matched, "Matched"),
        (missing, "Missing in the file"),
        (forgiven, "Not in the file, and forgiven"),
        (unexpected, "Unexpected in the file"),
    ):
        if keys:
            page.tell(f"{lead}: {listed(keys)}.")
    renamed = [(ours, theirs) for kind, ours, theirs in rows if kind == "renamed"]
    for ours, theirs in renamed[:1]:
        prefix, owner = _prefix(ours, theirs), "model"
        if not prefix:
            prefix, owner = _prefix(theirs, ours), "file"
        pairs = counted(len(renamed), "pair")
        page.tell(f"Alike but for the prefix {prefix} of the {owner}'s keys: {pairs}.")
    for key in resized:
        shapes = _shape(wanted[key]), _shape(state_dict[key])
        page.tell(f"{key} is {shapes[0]} in the model and {shapes[1]} in the file.")
    return page


def _shape(tensor: torch.Tensor | None) -> str:
    return "" if tensor is None else str(tuple(tensor.shape))


def _rows(wanted: list[str], found: list[str], resized: list[str]) -> list[tuple[str, str, str]]:
    """The kind of each row, with the model's key and the file's key; "" for a gap."""
    lacking = [key for key in wanted if key not in found]
    extra = [key for key in found if key not in wanted]
    partners = _partners(lacking, extra)
    rows = []
    for key in wanted:
        if key in partners:
            rows.append(("renamed", key, partners[key]))
        elif key in lacking:
            rows.append(("missing", key, ""))
        else:
            rows.append(("size" if key in resized else "matched", key, key))
    rest = [key for key in extra if key not in partners.values()]
    return rows + [("unexpected", "", key) for key in rest]


def _refused(
    model: torch.nn.Module, found: Mapping[str, torch.Tensor], resized: list[str]
) -> tuple[list[str], list[str]]:
    """The missing and unexpected keys that `load_state_dict` reports for a copy of the model."""
    fitting = OrderedDict((key, found[key]) for key in found if key not in resized)
    if hasattr(found, "_metadata"):
        fitting._metadata = found._metadata  # type: ignore[attr-defined]
    result = deepcopy(model).load_state_dict(fitting, strict=False)
    return [key for key in result.missing_keys if key not in resized], result.unexpected_keys


def _partners(lacking: list[str], extra: list[str]) -> dict[str, str]:
    """For keys of the model, the file's keys that differ by one prefix, the most frequent one."""
    found: dict[tuple[str, bool], dict[str, str]] = {}
    for key in lacking:
        for other in extra:
            longer, shorter = (other, key) if len(other) > len(key) else (key, other)
            if longer.endswith("." + shorter):
                prefix = longer.removesuffix(shorter)
                found.setdefault((prefix, longer is other), {})[key] = other
    return max(found.values(), key=len, default={})


def _prefix(key: str, other: str) -> str:
    """The prefix of `key` before `other`, or ""."""
    return key.removesuffix(other) if other and key.endswith(f".{other}") else ""


def _draw_key(
    page: Picture, left: float, level: float, kind: str, key: str, other: str, note: str
) -> None:
    """Draw one side of a row: the key and its shape, or a gap."""
    if not key:
        text = "missing in the file" if kind == "missing" else "not in the model: unexpected"
        page.box(left, level - 0.15, SIDE, 0.3, fill="none", line=":")
        page.write(left + 0.12, level, text, size=SMALL, color=QUIET, style="italic")
        return
    _, fill, line = KINDS[kind]
    page.box(left, level - 0.15, SIDE, 0.3, fill=fill, edge=INK, line=line)
    text = shortened(key, int((SIDE - 0.36) / LETTER) - len(note))
    prefix = len(_prefix(key, other))
    marked, rest = text[:prefix], text[prefix:]
    start, wide = left + 0.12, len(marked) * LETTER
    if marked:
        page.box(start - 0.04, level - 0.11, wide + 0.05, 0.22, fill=INK, edge=INK)
        page.write(start, level, marked, family=MONO, size=SMALL, color=PANEL, weight="bold")
        start += 0.06
    page.write(start + wide, level, rest, family=MONO, size=SMALL)
    page.write(left + SIDE - 0.1, level, note, align="right", **NOTE)
