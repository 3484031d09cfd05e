"""Sphinx's input: a learner's workspace with folded answers, and the site's own pages."""

import ast
import inspect
import posixpath
import re
import shutil
from collections import defaultdict
from pathlib import Path
from pkgutil import resolve_name

import nbformat
from jinja2 import Environment, StrictUndefined
from nbformat import NotebookNode
from solved import solve_tasks

from course_authoring.page_numbers import numbers
from course_utils.manifest import Course, load_manifest
from course_workspace.deliver import prepare

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "site"

COPIED = {  # pages and pictures from other folders of the repository
    "CONTRIBUTING.md": "guides/authors.md",
    "tests/README.md": "guides/tests.md",
    "tests/test_all.md": "guides/test_all.md",
    "packages/virtual_cuda/README.md": "virtual_cuda.md",
    "packages/virtual_cuda/ARCHITECTURE.md": "virtual_cuda_architecture.md",
    "notebooks/images": "images",
    "site/guides": "guides",
}
PLACES = {**COPIED, "notebooks": "lessons", "README.md": "index.md"}
LINK = re.compile(r"(?<=\]\()(?![a-z]+:)[^)#\s]+")
ASKS = re.compile(r"^(quiz|predict|claim)\(", re.MULTILINE)
EXPLORES = re.compile(r"^explore\(", re.MULTILINE)
ANSWERS = re.compile(r"^(reveal|verdict)\(", re.MULTILINE)
OWN_ANCHOR = re.compile(r'<a id="[\w-]+"></a>')  # for JupyterLab and GitHub; Sphinx makes the same
PROMPT = {"code_prompt_show": "Predict first, then open", "code_prompt_hide": "Close"}
LANGUAGE = {"name": "python", "pygments_lexer": "ipython3"}


def stage(folder: Path) -> None:
    """Make `folder` again, with all of Sphinx's input."""
    shutil.rmtree(folder, ignore_errors=True)
    prepare(ROOT, folder)
    course = load_manifest()
    for lesson in course.lessons:
        path = folder / "lessons" / f"{lesson.notebook}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        close_answers(notebook)
        solve_tasks(notebook)
        notebook.metadata["language_info"] = LANGUAGE  # its lexer accepts `!command`
        nbformat.write(notebook, path)
    for name in ("glossary.md", "reference.md"):
        page = folder / "lessons" / name
        page.write_text(OWN_ANCHOR.sub("", page.read_text(encoding="utf-8")), encoding="utf-8")
    for source, target in COPIED.items():
        copy(source, folder, target)
    write_pages(course, folder)


def close_answers(notebook: NotebookNode) -> None:
    """Tag cells with questions and explorers, and fold the outputs of cells with answers."""
    for cell in notebook.cells:
        tags = cell.metadata.setdefault("tags", [])
        if ASKS.search(cell.source):
            tags.append("asks")
        if EXPLORES.search(cell.source):
            tags.append("explores")
        if ANSWERS.search(cell.source):
            tags.append("hide-output")
            cell.metadata["mystnb"] = PROMPT


def copy(source: str, folder: Path, target: str) -> None:
    """Copy a file of the repository, or all files of a folder; links in pages are adapted."""
    files = [ROOT / source] if (ROOT / source).is_file() else (ROOT / source).iterdir()
    for file in files:
        name = target if file == ROOT / source else f"{target}/{file.name}"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            text = relinked(file.read_text(encoding="utf-8"), file, name)
            (folder / name).write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(file, folder / name)


def relinked(text: str, file: Path, name: str) -> str:
    """The text of `file` with its links adapted to the page `name`."""

    def there(link: re.Match[str]) -> str:
        path = posixpath.relpath(posixpath.join(file.parent, link[0]), ROOT)
        for old, new in PLACES.items():
            if path == old or path.startswith(f"{old}/"):
                return posixpath.relpath(new + path.removeprefix(old), posixpath.dirname(name))
        return link[0]

    return LINK.sub(there, text)


def write_pages(course: Course, folder: Path) -> None:
    """Write the site's own pages, which are templates filled from the manifest."""
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    notebooks = sorted([*folder.glob("lessons/*.ipynb"), *folder.glob("assignments/*/*.ipynb")])
    known = {"course": course, **numbers(course), "api": api(notebooks)}
    pages = SITE / "pages"
    for page in pages.rglob("*.md"):
        target = folder / page.relative_to(pages)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = environment.from_string(page.read_text(encoding="utf-8")).render(known)
        target.write_text(text, encoding="utf-8")


def api(notebooks: list[Path]) -> dict[str, list[tuple[str, str]]]:
    """The course's names that notebooks import, by module, each with its Sphinx directive."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in notebooks:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                for node in imports(cell.source):
                    found[str(node.module)].update(alias.name for alias in node.names)
    listed = {}
    for module, names in found.items():
        for name in sorted(names, key=str.lower):
            thing = resolve_name(f"{module}.{name}")
            if inspect.ismodule(thing):
                listed[thing.__name__] = [(thing.__name__, "automodule")]
            else:
                listed.setdefault(module, []).append((f"{module}.{name}", directive(thing)))
    return dict(sorted(listed.items()))


def imports(source: str) -> list[ast.ImportFrom]:
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:  # a line of IPython's
        return []
    return [
        node
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        and str(node.module).startswith(("course_utils", "lesson_parts"))
    ]


def directive(thing: object) -> str:
    if inspect.isclass(thing):
        return "autoclass"
    return "autofunction" if inspect.isroutine(thing) else "autodata"
