"""`play`: in a rank, run an answer and the program that calls it, each with its own names."""

import json
import linecache
import os
import sys
import time
import traceback
from hashlib import sha256
from pathlib import Path
from typing import Any

ANSWER = "<answer>"


def play() -> None:
    """Run what given-RANK.json holds, and write rank-RANK.json: a signature, and what it signs.

    The answer cannot reach the program, its data, what it finds, or the key of the signature: they
    are in this frame alone, and the files are deleted before any rank runs the answer.
    """
    dumps, signed, replace = json.dumps, sha256, os.replace  # the answer may replace those
    rank, home = os.environ.get("RANK", "0"), Path.cwd()
    given = home / f"given-{rank}.json"
    imports, name, cell, program, key = json.loads(given.read_text("utf-8"))
    given.unlink()
    while any(home.glob("given-*")):
        time.sleep(0.005)
    new, file = home / f"new-{rank}.json", home / f"rank-{rank}.json"

    def tell(found: list[Any]) -> None:
        """Whole or not at all, if the rank is ended here."""
        text = dumps(found)
        new.write_text(signed(f"{key}{text}{key}".encode()).hexdigest() + text, "utf-8")
        replace(new, file)

    names: dict[str, Any] = {"__name__": "__main__", "tell": tell}
    exec(compile(imports, sys.argv[0], "exec"), names)
    del names["tell"]
    main = vars(sys.modules["__main__"])
    main.clear()
    main |= names
    linecache.cache[ANSWER] = (len(cell), None, cell.splitlines(keepends=True), ANSWER)
    exec(compile(cell, ANSWER, "exec"), main)
    if name in main:
        names[name] = main[name]
    exec(compile(program, sys.argv[0], "exec"), names)
    try:
        found = names["facts"]()
    except Exception as error:
        stack = traceback.extract_tb(error.__traceback__)
        lines = [each.line or "" for each in stack if each.filename == ANSWER]
        where = f"in `{lines[-1].partition('#')[0].strip()}`: " if lines else ""
        tell([None, f"{type(error).__name__}: {where}{error}"])
        raise
    tell([found, ""])  # by each rank apart: what they print may mix


def heard(text: str, key: str) -> list[Any] | None:
    """What a rank told: the facts and an error; None if another than `play` wrote the text."""
    size = sha256().digest_size * 2
    signature, said = text[:size], text[size:]
    whole = sha256(f"{key}{said}{key}".encode()).hexdigest() == signature
    return json.loads(said) if whole else None
