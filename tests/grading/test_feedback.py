"""Feedback pages, made by nbgrader's own step, of an honest student and of a hostile one."""

import base64
import http.server
import io
import itertools
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
)
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from PIL import Image
from traitlets.config import Config

from course_grading.feedback import (
    NBGRADERS_FILES,
    FeedbackPage,
    GradesWithReasons,
    _arranged,
    _mark,
)
from course_grading.report.clean import CellRenderer
from course_utils.checking.manual_grading import MIME
from course_utils.checking.view import AMBER, GREEN, RED, Line, Message
from course_utils.manifest import load_manifest
from tests.chromium import chromium

ROOT = Path(__file__).resolve().parents[2]
NAME = "03_modules"
ASSIGNMENT = load_manifest(ROOT / "course.toml").assignment(NAME)
EXERCISES = ASSIGNMENT.exercises
COMMANDS = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

PASSED = Message("✓", GREEN, (Line("Passed.", "8 of 8 cases. 4 of them ran again."),))
FAILED = Message(
    "✗",
    RED,
    (
        Line("Not yet: the batch stayed where it was.", "`Tensor.to` returns a new tensor."),
        Line("Where:", "case 2 of 8 (a tuple inside a dict, with other values)"),
        Line("Next:", "Build a new tuple out of what `to` returns."),
    ),
)
HELD = Message("?", AMBER, (Line("This could not be checked.", "Nothing counts against you."),))

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def nbgrader_cell(kind, name, points=None):
    meta = {
        "grade": kind == "check",
        "grade_id": name,
        "locked": kind != "solution",
        "schema_version": 3,
        "solution": kind == "solution",
        "task": False,
    }
    return {"nbgrader": meta | ({"points": points} if points else {})}


def title(exercise) -> str:
    return exercise.title.replace("`", "")


def task(name):
    return new_markdown_cell(
        f"## A heading of {name}\n\nWrite `{name}`, see [x](../../a.ipynb).",
        metadata=nbgrader_cell("task", f"{name}_task"),
    )


def solution(name, source, *outputs):
    meta = nbgrader_cell("solution", name) | {"course": {"as_submitted": True}}
    return new_code_cell(source, metadata=meta, outputs=list(outputs))


def check(exercise, message, points):
    """A check cell in the form in which a graded notebook has it; points: None where held."""
    cell = new_code_cell(
        f'check("{exercise.name}", {exercise.short})',
        metadata=nbgrader_cell("check", f"{exercise.short}_check", exercise.points),
    )
    shown = {"text/plain": message.text, "text/html": message._repr_html_()}
    if points is None:
        cell.outputs = [new_output("display_data", data={MIME: "held", **shown})]
    elif points:
        cell.outputs = [new_output("execute_result", data=shown | {"text/plain": str(points)})]
    else:
        lines = message.text.splitlines()
        cell.outputs = [new_output("error", ename="CheckFailed", evalue=lines[0], traceback=lines)]
    cell.metadata["course"] = {"html": shown["text/html"]}
    return cell


def png(width=40, height=20) -> str:
    out = io.BytesIO()
    Image.new("1" if width > 1000 else "RGB", (width, height)).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def display(**data):
    names = {
        "html": "text/html",
        "svg": "image/svg+xml",
        "md": "text/markdown",
        "png": "image/png",
        "js": "application/javascript",
        "plain": "text/plain",
        "latex": "text/latex",
        "widget": "application/vnd.jupyter.widget-view+json",
    }
    return new_output("display_data", data={names[name]: value for name, value in data.items()})


RUN = "document.title='ran';window.ran=true;fetch('http://192.0.2.1/ran')"
SVG = (
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
    "width='60' height='30' onload=\"{run}\"><script>{run}</script>"
    "<image xlink:href='http://192.0.2.1/in-svg.png' width='9' height='9'/>"
    "<style>@import url(http://192.0.2.1/x.css);</style>"
    "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><script>{run}</script></body>"
    "</foreignObject><rect width='60' height='30' fill='url(http://192.0.2.1/p)'/>"
    "</svg>"
).format(run=RUN.replace("'", "&apos;"))
LAUGHS = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='a0'><rect width='1'"
    " height='1'/></g>"
    + "".join(f"<g id='a{n + 1}'>" + f"<use href='#a{n}'/>" * 10 + "</g>" for n in range(9))
    + "</svg>"
)
HOSTILE_HTML = [
    f"<script>{RUN}</script>",
    f'<img src=x onerror="{RUN}">',
    f'<svg onload="{RUN}"><set attributeName=onmouseover to="{RUN}"/></svg>',
    "<img src='http://192.0.2.1/pixel.png' alt='pixel'><img srcset='http://192.0.2.1/2x.png 2x'>",
    "<link rel=stylesheet href='http://192.0.2.1/s.css'>"
    "<link rel=preload as=image href='//192.0.2.1/'>",
    "<style>@import url('http://192.0.2.1/i.css'); body{background:url(//192.0.2.1/b)}"
    " .verdict{display:none}</style>",
    "<p style=\"background-image:url('http://192.0.2.1/bg.png');color:#060\">styled</p>",
    "<div style='position:fixed;inset:0;background:#fff;z-index:9999'>covering everything</div>",
    f"<iframe src='http://192.0.2.1/frame'></iframe><iframe srcdoc=\"<script>{RUN}</script>\">",
    f"<object data='http://192.0.2.1/o'></object><embed src='javascript:{RUN}'>",
    "<meta http-equiv=refresh content='0;url=http://192.0.2.1/away'>"
    "<base href='http://192.0.2.1/'>",
    f"<a href=\"javascript:{RUN}\" ping='http://192.0.2.1/p'>a link</a>"
    "<form action='http://192.0.2.1/'><input autofocus onfocus=\"" + RUN + '"><button>Log in',
    f'<details open ontoggle="{RUN}"><summary>more</summary></details>'
    f"<video src='http://192.0.2.1/v' onerror=\"{RUN}\" poster='http://192.0.2.1/p'></video>",
    "</div></div></section></main></body></html><h1>All points</h1><h2 id='title'>32 of 32</h2>",
    f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 '
    f'onerror={RUN}&gt;">',
    f'<noscript><p title="</noscript><img src=x onerror={RUN}>">',
    "<img alt='drawn' src='data:image/svg+xml;base64,"
    + base64.b64encode(SVG.encode()).decode()
    + "'>",
    f"<img src='data:text/html,<script>{RUN}</script>'><img src=\"jav&#x09;ascript:{RUN}\">",
    f"<div class='verdict' id='{EXERCISES[0].short}_check'><b>✓ All points</b></div>",
    "<b " + " ".join(f"a{n}" for n in range(100_000)) + ">",
    "<b>" * 100_000,
]


def hostile() -> nbformat.NotebookNode:
    first, second, third, *rest = EXERCISES
    outputs = [
        display(html="".join(HOSTILE_HTML[:9])),
        *(display(html=html) for html in HOSTILE_HTML),
    ]
    pieces = [outputs[at : at + 6] for at in range(0, len(outputs), 6)]
    others = [
        display(js=RUN, plain="<Javascript object>"),
        display(widget={"model_id": "x"}),
        display(svg=SVG),
        display(svg=LAUGHS),
        display(png=png(9000, 9000)),
        display(png="AAAA"),
        display(
            md=f'# Imitated\n\n![x](http://192.0.2.1/m.png) <b onclick="'
            f'{RUN}">b</b> [y](javascript:{RUN})'
        ),
        display(latex="$\\href{javascript:alert(1)}{x}$ </script><script>" + RUN + "</script>"),
        new_output(
            "stream",
            name="stdout",
            text=f"\x1b]8;;http://192.0.2.1\x07link\x1b]8;;\x07<script>{RUN}</script>\x00\ud800",
        ),
        new_output("stream", name="stderr", text="x" * 3_000_000),
        new_output(
            "error",
            ename="<b>",
            evalue="v",
            traceback=[f'\x1b[31m<img src=x onerror="{RUN}">\x1b[0m', "</pre></div>" * 3],
        ),
    ]
    many = [new_output("stream", name="stdout", text=f"output {n}\n") for n in range(500)]
    cells = [
        new_markdown_cell(f"# Assignment {RUN}\n<script>{RUN}</script>"),
        task(first.short),
        *(
            new_code_cell("1", outputs=piece, metadata={"course": {"as_submitted": True}})
            for piece in pieces
        ),
        solution(
            first.short, f'"""</pre></div><script>{RUN}</script>"""\n' + "x = 1\n" * 9000, *others
        ),
        check(first, FAILED, 0),
        solution(second.short, "pass", *many),
        new_code_cell(
            "secret_of_the_run = 1",
            outputs=[new_output("stream", name="stdout", text="SEEN WHILE GRADING")],
        ),
        new_markdown_cell("# 32 of 32 points\n\nAll points\n===\n\n<h2>1. Imitated</h2>"),
        new_markdown_cell("[" * 20_000),
        new_markdown_cell("> " * 20_000),
        check(second, HELD, None),
        *(new_code_cell("((" * 5_000) for _ in range(300)),
        *(new_markdown_cell("![" * 10_000) for _ in range(300)),
        check(third, FAILED, 0),
        *(check(exercise, FAILED, 0) for exercise in rest),
    ]
    return new_notebook(cells=cells)


def honest() -> nbformat.NotebookNode:
    """One passed, one not, one held, one that a person graded after it was held; the rest pass."""
    cells = [new_markdown_cell("# Assignment 03"), new_code_cell("devices = lab(gpus=4)")]
    for exercise, (message, points) in zip(EXERCISES, outcomes(), strict=True):
        cells += [
            task(exercise.short),
            solution(
                exercise.short,
                f"def {exercise.short}(a, b):\n    # a comment\n    return a.to('cuda:1') + b",
                new_output("stream", name="stdout", text="tensor(…)\n 10%\r100%\n"),
                display(html="<table><tr><th>a</th><td>1</td></tr></table>", plain="a 1"),
                display(png=png(), plain="<Figure>"),
            ),
            check(exercise, message, points),
        ]
    return new_notebook(cells=[*cells, new_markdown_cell("Thank you, that was *fun*.")])


def outcomes():
    known = [(PASSED, EXERCISES[0].points), (FAILED, 0), (HELD, None), (HELD, None)]
    return known + [(PASSED, exercise.points) for exercise in EXERCISES[4:]]


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", COMMANDS)
        gradebook = Gradebook(f"sqlite:///{root}/gradebook.db", "on_the_right_device")
    with gradebook:
        gradebook.add_assignment(NAME)
        gradebook.add_notebook(NAME, NAME)
        for exercise in EXERCISES:
            gradebook.add_grade_cell(
                f"{exercise.short}_check", NAME, NAME, cell_type="code", max_score=exercise.points
            )
            gradebook.add_solution_cell(exercise.short, NAME, NAME)
        for student, notebook in (("ada", honest()), ("mallory", hostile())):
            gradebook.add_student(student)
            gradebook.add_submission(NAME, student)
            save(gradebook, root, student, notebook)
        by_hand = EXERCISES[3]
        grade = gradebook.find_grade(f"{by_hand.short}_check", NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        comment = gradebook.find_comment(by_hand.short, NAME, NAME, "ada")
        comment.manual_comment = "Close: *mind* the device."
        gradebook.db.commit()
    return root


def save(gradebook, root, student, notebook) -> None:
    held = set()
    for cell in notebook.cells:
        meta = cell.metadata.get("nbgrader", {})
        if meta.get("grade"):
            grade = gradebook.find_grade(meta["grade_id"], NAME, NAME, student)
            kind = cell.outputs[0].output_type
            grade.auto_score = {"display_data": None, "error": 0.0}.get(kind, meta["points"])
            grade.needs_manual_grade = kind == "display_data"
            held |= {meta["grade_id"].removesuffix("_check")} if kind == "display_data" else set()
    for name in held:
        comment = gradebook.find_comment(name, NAME, NAME, student)
        comment.auto_comment = "Not graded yet: REASON FOR THE INSTRUCTOR"
    gradebook.db.commit()
    folder = root / "autograded" / student / NAME
    (folder / "data").mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text(json.dumps(notebook))  # half characters as \\u escapes
    (folder / "timestamp.txt").write_text("2026-11-02 10:00:00 UTC")
    (folder / "data" / "big.bin").write_bytes(b"x" * 100)
    (folder / "other.html").write_text("<script>1</script>")
    (folder / "gradebook_link").symlink_to(root / "gradebook.db")
    (folder / "submission_secret.txt").symlink_to(root / "gradebook.db")


CONFIG = """\
from course_grading.feedback import FeedbackPage, GradesWithReasons
c = get_config()
c.CourseDirectory.course_id = "on_the_right_device"
c.GenerateFeedback.exporter_class = FeedbackPage
c.GenerateFeedback.preprocessors = [GradesWithReasons]
"""


@pytest.fixture(scope="module")
def pages(course) -> dict[str, Path]:
    (course / "nbgrader_config.py").write_text(CONFIG)
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_feedback", NAME],
        cwd=course,
        env={**os.environ, "PATH": COMMANDS},
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return {
        student: course / "feedback" / student / NAME / f"{NAME}.html"
        for student in ("ada", "mallory")
    }


@pytest.fixture
def browser():
    with chromium() as browser:
        yield browser


def opened(browser, path: Path):
    """The page, and what it asked for or said while it stood there for a moment."""
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    happened = []
    page.on("request", lambda request: happened.append(request.url))
    page.on("dialog", lambda dialog: happened.append(dialog.message))
    page.on("console", lambda message: happened.append(message.text))
    page.on("pageerror", lambda error: happened.append(str(error)))
    page.goto(path.as_uri())
    page.mouse.wheel(0, 100_000)
    page.wait_for_timeout(500)
    asked = [each for each in happened if not each.startswith("data:")]
    return page, asked


@pytest.mark.more
def test_nothing_of_a_hostile_notebook_runs_or_loads(browser, pages):
    page, asked = opened(browser, pages["mallory"])
    assert asked == [pages["mallory"].as_uri()]
    assert page.evaluate("window.ran") is None
    assert page.title() != "ran" and page.url == pages["mallory"].as_uri()
    assert (
        page.evaluate("""[...document.querySelectorAll('*')].flatMap(e => [
        ...[...e.attributes].filter(a => /^on|srcset|^action|ping/.test(a.name)).map(a => a.name),
        ...(/^(script|iframe|object|embed|link|base|form|input|video|svg|math)$/i.test(e.tagName)
            ? [e.tagName] : []),
    ])""")
        == []
    )
    links = page.evaluate(
        "[...document.querySelectorAll('[href],[src]')].map("
        "e => e.getAttribute('href') ?? e.getAttribute('src'))"
    )
    assert all(re.match(r"#\w+$|data:image/(png|jpeg|gif|svg\+xml);base64,", at) for at in links)
    # They hold what they held: asked for above is nothing all the same.
    drawn = [base64.b64decode(at.partition(",")[2]).decode() for at in links if "svg" in at]
    assert len(drawn) >= 2
    assert not any("<use" in svg for svg in drawn)  # which would draw a billion shapes


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """A server that a page must not reach: its address, and what was asked of it."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("policy", [True, False])
def test_the_policy_alone_would_stop_it(browser, pages, tmp_path, elsewhere, policy):
    """Two walls: what the cleaning might miss one day, the page neither runs nor loads.

    Without the policy the same page does both, so that this test can fail.
    """
    address, asked = elsewhere
    # A refresh leads away whatever the policy is; only the cleaning stops that one.
    pieces = [html for html in HOSTILE_HTML[:12] if "refresh" not in html]
    html = pages["ada"].read_text().replace("<main>", "<main>" + "".join(pieces), 1)
    html = html.replace("192.0.2.1", address)
    if not policy:
        html = re.sub("<meta http-equiv=[^>]*>", "", html, count=1)
    (tmp_path / "page.html").write_text(html)
    page, _ = opened(browser, tmp_path / "page.html")
    ran = page.evaluate("window.ran") is True
    assert (ran, bool(asked)) == (not policy, not policy), asked


def test_a_notebook_cannot_imitate_the_page(browser, pages):
    page, _ = opened(browser, pages["mallory"])
    assert page.locator("h1").all_inner_texts() == [ASSIGNMENT.title]
    titles = {title(exercise) for exercise in EXERCISES}
    shown = page.locator("h2").all_inner_texts()
    assert len(shown) == len(EXERCISES) and all(
        any(each in heading for each in titles) for heading in shown
    )
    assert page.locator(".submitted [id], .submitted .verdict").count() == 0
    assert page.locator(".verdict").count() == len(EXERCISES)
    for box in page.locator(".outputs").all():
        inside = box.evaluate("""box => [...box.querySelectorAll('*')].every(
            e => !/fixed|absolute|sticky/.test(getComputedStyle(e).position))""")
        assert inside


def test_long_outputs_are_cut_and_told(pages):
    text = pages["mallory"].read_text()
    assert len(text) < 12_000_000
    assert "2,992,000 characters left out" in text
    assert "488 outputs are left out here." in text
    assert "output 0\n" in text and "output 499\n" in text and "output 250\n" not in text


@pytest.mark.more
def test_a_page_does_not_take_long(course):
    """Of all that a notebook can pile up, only so much is cleaned and coloured."""
    notebook = course / "autograded" / "mallory" / NAME / f"{NAME}.ipynb"
    begun = time.process_time()
    before, parts, _ = _arranged(graded(nbformat.read(notebook, 4)).cells, {}, CellRenderer())
    assert before and len(parts) == len(EXERCISES)
    assert time.process_time() - begun < 60  # about 8; without limits, many minutes


def graded(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    for cell in notebook.cells:
        meta = cell.metadata.get("nbgrader", {})
        if meta.get("grade"):
            meta.update(score=0.0, held=False, by_person=False)
    return notebook


def test_what_ran_while_grading_and_reasons_for_the_instructor_do_not_show(pages):
    for path in pages.values():
        assert "SEEN WHILE GRADING" not in path.read_text()
        assert "REASON FOR THE INSTRUCTOR" not in path.read_text()


def test_only_the_page_and_nbgraders_marks_are_in_the_folder(course, pages):
    for path in pages.values():
        found = {file.name for file in path.parent.rglob("*")}
        assert found == {f"{NAME}.html", *NBGRADERS_FILES}


@pytest.mark.slow
def test_one_missing_mark_keeps_nobodys_feedback(course, pages, tmp_path):
    tmp_path.chmod(0o777)
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "release_feedback", NAME, f"--Exchange.root={tmp_path}"],
        cwd=course,
        env={**os.environ, "PATH": COMMANDS},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert len(list(tmp_path.glob("*/feedback/*.html"))) == len(pages)


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"x" * 5000], ids=repr)
def test_what_nbgrader_could_not_read_is_no_mark(tmp_path, content):
    file = tmp_path / "timestamp.txt"
    if content is not None:
        file.write_bytes(content)
    assert _mark(file) == ""
    file.write_text("2026-11-02 10:00:00 UTC")
    assert _mark(file) == "2026-11-02 10:00:00 UTC"


def test_each_exercise_has_its_title_points_and_verdict(browser, pages):
    page, _ = opened(browser, pages["ada"])
    rows = page.locator("nav tbody tr").all_inner_texts()
    said = [tuple(row.split("\t")) for row in rows]
    outcome = ["✓ All points", "✗ Not yet", "? A person will look at it", "◐ Some of the points"]
    points = [f"{EXERCISES[0].points}", "0", "–", "1.5"]
    for exercise, shown, mark, got in zip(EXERCISES, said, outcome, points, strict=False):
        assert shown == (title(exercise), f"{got} of {exercise.points}", mark)
    total = 1.5 + EXERCISES[0].points + sum(each.points for each in EXERCISES[4:])
    assert (
        f"{total:g} of {sum(e.points for e in EXERCISES)} points so far."
        in page.locator("header").inner_text()
    )
    assert "One exercise waits for a person" in page.locator("header").inner_text()
    section = {exercise.short: page.locator(f"#{exercise.short}_check") for exercise in EXERCISES}
    assert "the batch stayed where it was" in section[EXERCISES[1].short].inner_text()
    held = section[EXERCISES[2].short].inner_text()
    assert "A person will look at this exercise." in held and "could not be checked" in held
    graded = section[EXERCISES[3].short].inner_text()
    assert "A person has graded this exercise." in graded and "could not be checked" not in graded
    assert "Close: mind the device." in graded
    assert "As you submitted it" in graded and "100%" in graded and "10%\r" not in graded
    assert page.locator(f"#{EXERCISES[0].short}_check img").count() == 1
    assert "Test cell" not in page.content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_by_everybody(browser, pages, scheme):
    page, _ = opened(browser, pages["ada"])
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate("document.documentElement.lang") == "en" and page.title()
    levels = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(e => +e.tagName[1])"
    )
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert page.locator("img:not([alt]), img[alt='']").count() == 0
    assert page.locator("th:not([scope])").count() == page.locator(".submitted th").count()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    assert page.evaluate(CONTRASTS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


CONTRASTS = """() => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(
    v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  ).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
  };
  const low = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    if (!e.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) low.push([e.tagName, e.className, ratio]);
  }
  return low;
}"""


def test_formgraders_button_makes_the_same_page(course, pages):
    before = pages["ada"].read_text()
    pages["ada"].unlink()
    settings = loaded(CONFIG, course)
    settings.CourseDirectory.root = str(course)
    directory = CourseDirectory(config=settings)
    result = NbGraderAPI(coursedir=directory, config=settings).generate_feedback(NAME, "ada")
    assert result["success"], result
    assert pages["ada"].read_text() == before


def test_the_course_uses_this_page():
    folder = ROOT / "assignments"
    settings = loaded((folder / "nbgrader_config.py").read_text(), folder)
    assert settings.GenerateFeedback.exporter_class is FeedbackPage
    assert settings.GenerateFeedback.preprocessors == [GradesWithReasons]


def loaded(text: str, folder: Path) -> Config:
    """What a configuration file sets."""
    settings = Config()
    file = str(folder / "nbgrader_config.py")
    exec(
        compile(text, file, "exec"),
        {"get_config": lambda: settings, "c": settings, "__file__": file},
    )
    return settings


def test_the_text_of_nbgraders_task_is_the_instructors_and_the_cells_below_are_the_students():
    asked = nbgrader_cell("task", "draw", 2)
    asked["nbgrader"] |= {"task": True, "score": 1, "held": False, "by_person": True}
    picture = {"a.png": {"image/png": png()}}
    cells = [
        new_markdown_cell("## Draw\n\nDraw it.", metadata=asked, attachments=picture),
        new_markdown_cell("My picture shows it."),
        task("next"),
    ]
    gone = new_markdown_cell("What was released.", metadata=nbgrader_cell("solution", "why", 2))
    gone.metadata["nbgrader"] |= asked["nbgrader"] | {"solution": True, "score": 0, "task": False}
    gone.metadata["nbgrader"] |= {"grade": True, "unchanged": True, "by_person": False}
    gone.metadata["course"] = {"missing": "Its cell is gone."}
    cells.insert(2, gone)
    _, (part, why), after = _arranged(new_notebook(cells=cells).cells, {}, CellRenderer())
    assert (why.missing, why.cells, why.outcome) == ("Its cell is gone.", [], "✗ Left as it was")
    assert "Draw it." in part.tasks[0] and "image/png" in part.tasks[1]
    assert ["My picture shows it." in cell.source for cell in part.cells] == [True]
    assert ["Write" in cell.source for cell in after] == [True]
