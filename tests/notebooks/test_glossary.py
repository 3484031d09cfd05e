"""The glossary: in order, in two languages, and each entry leads on."""

import re
from pathlib import Path

import pytest

GLOSSARY = Path(__file__).resolve().parents[2] / "notebooks" / "glossary.md"
ENTRIES = [
    entry.split("\n", 1)
    for entry in re.split(r"^## ", GLOSSARY.read_text(encoding="utf-8"), flags=re.M)[1:]
]
TERMS = [re.sub(r"<.*?>", "", heading) for heading, _ in ENTRIES]


def test_the_terms_are_in_order_and_there_once():
    plain = [re.sub(r"[\W_]", "", term).lower() for term in TERMS]
    assert plain == sorted(set(plain))


@pytest.mark.parametrize(("heading", "text"), ENTRIES, ids=TERMS)
def test_an_entry_has_a_chinese_term_a_sentence_and_a_link(heading, text):
    """Only a name has capitals, and a link to it needs an address of its own."""
    chinese = r"\*\*[^*]*[\u4e00-\u9fff][^*]*\.\*\*"
    placed = r"(<!-- (concepts|errata): [CE\d, ]+ -->\n)?"
    assert re.fullmatch(rf"{placed}\n{chinese} [^[]+[.:)]\s\[[^]]+\]\([^)]+\)\n*", text), text
    term = re.sub(r"<.*?>", "", heading)
    if term != term.lower():
        assert heading == f'<a id="{term.lower().replace(" ", "-")}"></a>{term}'
