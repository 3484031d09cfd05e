"""Every link of a lesson, a page or an assignment leads somewhere in a learner's workspace."""

import re
import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from operator import attrgetter
from pathlib import Path, PurePosixPath

import nbformat
import pytest
import torch
from markdown_it import MarkdownIt

from course_utils.manifest import load_manifest
from course_workspace.deliver import prepare

ROOT = Path(__file__).resolve().parents[2]
KNOWN_FILE = Path(__file__).with_name("known_links.toml")
KNOWN = tomllib.loads(KNOWN_FILE.read_text(encoding="utf-8"))
PYTORCH = "https://docs.pytorch.org/docs/stable/"
COURSE = load_manifest()
PAGES = ["START_HERE.md", *(f"lessons/{page.name}" for page in (ROOT / "notebooks").glob("*.md"))]
LESSONS = [f"lessons/{lesson.notebook}.ipynb" for lesson in COURSE.lessons]
ASSIGNMENTS = [f"assignments/{entry.name}/{entry.name}.ipynb" for entry in COURSE.assignments]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("learner") / "workspace"
    prepare(ROOT, folder)
    return folder


@cache
def markdown(path: Path) -> str:
    """The prose of a page or a notebook."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def links(text: str) -> list[str]:
    return [
        str(token.attrs.get("href", token.attrs.get("src")))
        for block in MarkdownIt().parse(text)
        for token in block.children or ()
        if token.type in ("link_open", "image")
    ]


def headings(text: str) -> list[str]:
    """The words of each heading, without its marks."""
    blocks = MarkdownIt().parse(text)
    return [
        "".join(token.content for token in block.children if token.type != "html_inline")
        for before, block in pairwise(blocks)
        if before.type == "heading_open" and block.children
    ]


def anchors(text: str) -> set[str]:
    """What leads to a heading both on GitHub and in JupyterLab.

    GitHub writes a heading in lower case and without punctuation, JupyterLab keeps it as it is; so
    it is a heading for which that is the same, or one with an `<a id="...">`.
    """
    kept = {words.replace(" ", "-") for words in headings(text)}
    github = {re.sub(r"[^\w-]", "", name.lower()) for name in kept}
    return kept & github | set(re.findall(r'<a id="([\w-]+)">', text))


def faults(path: Path, workspace: Path) -> Iterator[str]:
    """What is wrong with the links of the file at `path`, one sentence for each."""
    for link in links(markdown(path)):
        wrong = external_fault(link) if "://" in link else internal_fault(link, path, workspace)
        if wrong:
            yield f"{path.relative_to(workspace)}: the link {link} {wrong}."


def external_fault(link: str) -> str | None:
    if link in KNOWN["elsewhere"] or link.removeprefix(PYTORCH) in KNOWN["pytorch"]:
        return None
    name = re.fullmatch(re.escape(PYTORCH) + r"generated/(torch\.[\w.]+)\.html", link)
    if name is None:
        return f"is not in {KNOWN_FILE.name}: take a page that is, or add this one with its reason"
    try:
        attrgetter(name[1].removeprefix("torch."))(torch)
    except AttributeError:
        return f"names {name[1]}, which torch {torch.__version__} does not have: correct the name"
    return None


def internal_fault(link: str, path: Path, workspace: Path) -> str | None:
    file, _, anchor = link.partition("#")
    target = path.parent.joinpath(PurePosixPath(file)).resolve() if file else path
    if not target.is_relative_to(workspace.resolve()) or not target.is_file():
        return "leads to no file of the workspace: correct the path"
    if anchor and anchor not in (known := anchors(markdown(target))):
        close = ", ".join(get_close_matches(anchor, known)) or "none that is similar"
        return f"leads to no heading of {target.name}: correct it (there is {close})"
    return None


@pytest.mark.parametrize("file", [*PAGES, *LESSONS, *ASSIGNMENTS])
def test_every_link_leads_somewhere(workspace, file):
    assert list(faults(workspace / file, workspace)) == []


@pytest.mark.parametrize("file", ASSIGNMENTS)
def test_an_assignment_leads_back_and_on(workspace, file):
    number = COURSE.assignment(PurePosixPath(file).stem).lesson
    here, *later = (f"../../{path}" for path in LESSONS if PurePosixPath(path).stem[:2] >= number)
    found = [link for link in links(markdown(workspace / file)) if link.endswith(".ipynb")]
    assert found == [here, here, *later[:1]]  # in the introduction, and at the end


def test_nothing_is_known_that_no_text_links_to(workspace):
    linked = {
        link
        for file in [*PAGES, *LESSONS, *ASSIGNMENTS]
        for link in links(markdown(workspace / file))
    }
    assert set(KNOWN["elsewhere"]) <= linked


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("03_modules.ipynb", "leads to no file of the workspace"),
        ("../../secret.md", "leads to no file of the workspace"),
        ("other.md#a-vew", "leads to no heading of other.md: correct it (there is a-view)"),
        ("other.md#pcie", "leads to no heading of other.md"),
        ("other.md#why-not", "leads to no heading of other.md"),
        ("#nowhere", "leads to no heading of page.md: correct it (there is none that is similar)"),
        (f"{PYTORCH}generated/torch.Tensor.two.html", "names torch.Tensor.two, which torch 2"),
        (f"{PYTORCH}notes/none.html", "is not in known_links.toml"),
        (f"{PYTORCH}notes/cuda.html#streams", "is not in known_links.toml"),
        ("https://example.org", "is not in known_links.toml"),
    ],
)
def test_a_link_that_leads_nowhere_is_named(tmp_path, link, said):
    (tmp_path.parent / "secret.md").write_text("")
    (tmp_path / "other.md").write_text(
        '# a view\n\n# PCIe\n\n# Why not?\n\n# <a id="uuid"></a>UUID\n'
    )
    page = tmp_path / "page.md"
    good = f"[a](other.md#a-view) [b](other.md#uuid) [c]({PYTORCH}generated/torch.Tensor.to.html)"
    page.write_text(f"`[code](nowhere)` {good} [with `code`]({link})\n\n    [x](nowhere)\n")
    assert len(links(page.read_text())) == 4
    (fault,) = faults(page, tmp_path)
    assert fault.startswith(f"page.md: the link {link} {said}") and fault.endswith(".")
