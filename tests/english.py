"""Words and sentences that are not ordinary English: `python -m tests.english` counts them.

It reads pages, lessons and their questions, messages, docstrings and comments. Tests are left out,
and the exercises from assignment 05 on.
"""

import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULES = tomllib.loads(Path(__file__).with_name("english.toml").read_text(encoding="utf-8"))
WORDS: Mapping[str, str] = RULES["instead"]
LONGEST: int = RULES["longest_sentence"]  # words
_CODE = re.compile(
    r"^( *)(```|~~~).*?^\1\2|^---$.*?^---$|<!--.*?-->|^\|.*?$", re.DOTALL | re.MULTILINE
)
_END = re.compile(r"(?<=[.!?:])[)”\"*_]*\s+(?=[A-Z`“*\[(])|\n\s*\n|\n(?=\s*(?:[-*>#]|\d+\.) )")


def files(root: Path = ROOT) -> list[str]:
    """The paths of the files that are checked, relative to the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    wanted, left_out = (re.compile("|".join(RULES[key])) for key in ("files", "left_out"))
    return [path for path in listed if wanted.match(path) and not left_out.search(path)]


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Line number and text of a page, or of each comment and string of a program."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield 1, text
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING) or token.type > tokenize.NL:
            yield token.start[0], token.string


def private_words(path: Path) -> Iterator[tuple[int, str, str]]:
    """Each private word in a file: its line, the word, and what to write instead."""
    for line, text in prose(path):
        for pattern, instead in WORDS.items():
            for found in re.finditer(pattern, text, re.IGNORECASE):
                yield line + text[: found.start()].count("\n"), found[0], instead


def sentences(page: str) -> Iterator[str]:
    """The sentences of a page of Markdown, without its programs and tables."""
    page = re.sub(r"^#.*$", r"\g<0>\n", _CODE.sub("\n\n", page), flags=re.MULTILINE)
    for sentence in _END.split(page):
        if words := sentence.split():
            yield " ".join(words)


def long_sentences(path: Path) -> Iterator[tuple[int, str]]:
    """The sentences of a page that have too many words, each with their number."""
    for sentence in sentences(path.read_text(encoding="utf-8")):
        if (number := len(re.sub(r"`[^`]*`", "code", sentence).split())) > LONGEST:
            yield number, sentence


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    counted = Counter(
        instead for path in files(root) for _, _, instead in private_words(root / path)
    )
    for instead, number in counted.most_common():
        print(f"{number:6,}  {instead}")
    pages = [path for path in files(root) if path.endswith(".md")]
    lengths = [len(each.split()) for path in pages for each in sentences((root / path).read_text())]
    print(f"{sum(lengths) / len(lengths):6.1f}  words in a sentence of a page")
    print(
        f"{sum(length > LONGEST for length in lengths):6,}  sentences of pages over {LONGEST} words"
    )
