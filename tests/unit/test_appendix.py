"""The page for readers of the notes: an entry for each erratum, whose code prints what it says."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils.manifest import load_manifest

ROOT = Path(__file__).resolve().parents[2]
COURSE = load_manifest()
PAGE = (ROOT / "notebooks" / COURSE.appendix.page).read_text(encoding="utf-8")
ENTRIES = re.split(r"^### ", PAGE, flags=re.M)[1:]
SETUP, *CODE = re.findall(r"^```python\n(.+?)^```$", PAGE, flags=re.M | re.S)
PRINTED = re.findall(r"^```\n\n```text\n(.+?)^```$", PAGE, flags=re.M | re.S)
RUN = """\
import contextlib, io, json, sys
names = {}
for block in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(block, names)
    print(json.dumps(said.getvalue()))
"""


def test_each_erratum_of_the_manifest_has_one_entry():
    found = re.findall(r"^<!-- errata: (.+) -->$", PAGE, flags=re.M)
    assert sorted(", ".join(found).split(", ")) == sorted(COURSE.appendix.errata)
    assert len(ENTRIES) == len(found)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.splitlines()[0])
def test_an_entry_says_what_the_note_says_and_what_is_true(entry):
    assert re.search(r"^\*\*(The note|Some notes)\*\* .+^\*\*True", entry, flags=re.M | re.S)


@pytest.mark.slow
def test_the_code_prints_what_the_page_says():
    """All of it in one process, as a reader would run it in one notebook."""
    blocks = json.dumps([SETUP, *CODE])
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=blocks,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said[1:] == PRINTED


def test_every_number_of_the_notes_leads_to_a_section():
    place = r"(?:below|\[reference\]\(reference\.md\)|\[\d\d\]\((\w+)\.ipynb\), (\d))"
    rows = re.findall(rf"^\| .+ \| .+ \| {place} \|$", PAGE, re.M)
    assert len(rows) > 15
    for notebook, section in filter(all, rows):
        text = (ROOT / "notebooks" / "text" / f"{notebook}.py").read_text(encoding="utf-8")
        assert re.search(rf"^# ## {section}\. ", text, flags=re.M), (notebook, section)
