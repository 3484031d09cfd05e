"""What a submission reaches for is told before it gets it, and cannot be taken back.

In the real worker and its sandbox: each way in is a cell of a student's own, or an answer.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from courses import (
    ROOT,
    due,
    filled_in,
    has_its_due,
    hidden,
    level,
    references,
    released_assignment,
)
from written import Cells, with_own

from course_grading.executor import JudgeProcess
from course_grading.job import GradingSettings
from course_grading.results import Graded, Verdict
from course_grading.run.submissions import SubmittedFolder
from course_utils.checking.exercises import exercise
from exercise_kit.corpus import known_answers
from tests.kept import only

ASSIGNMENT = "02_tensors"

pytestmark = pytest.mark.slow

RAISED = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    error = e\n"
WAYS = {
    "sys._getframe": "import sys\nsys._getframe()",
    "a frame out of a dictionary": "import sys\nvars(sys)['_get' + 'frame']()",
    "traceback by computed names": "def pick(t, n):\n    return getattr(t, n)\n\n\n"
    + RAISED
    + "pick(pick(error, '__trace' + 'back__'), 'tb_' + 'frame')",
    "traceback by attrgetter": "import operator\n"
    + RAISED
    + "operator.attrgetter('__traceback__.tb_' + 'frame')(error)",
    "traceback by str.format": RAISED + "('{0.__trace' + 'back__.tb_frame}').format(error)",
    "traceback by string.Formatter": "import string\n"
    + RAISED
    + "string.Formatter().format('{0.__traceback__.tb_frame}', error)",
    "traceback by a pattern": RAISED + "match error.__traceback__:\n    case object(tb_frame=f):\n"
    "        pass",
    "traceback.walk_tb": "import traceback\n"
    + RAISED
    + "list(traceback.walk_tb(error.__traceback__))",
    "generator": "g = (i for i in [1])\ngetattr(g, 'gi_' + 'frame')",
    "coroutine": "async def f():\n    pass\n\n\nc = f()\ngetattr(c, 'cr_' + 'frame')\nc.close()",
    "inspect.currentframe": "import inspect\ninspect.currentframe()",
    "inspect.trace": "import inspect\ntry:\n    1 / 0\nexcept Exception:\n    inspect.trace()",
    "frames of all threads": "import sys\nsys._current_frames()",
    "frames in another thread": "import sys\nfrom concurrent.futures import ThreadPoolExecutor\n"
    "ThreadPoolExecutor().submit(sys._current_frames).result()",
    "a frame through torch": "import sys\nfrom torch.utils._pytree import tree_map\n"
    "tree_map(sys._getframe, 0)",
    "gc.get_objects": "import gc\ngc.get_objects()",
    "gc.get_referrers": "import gc\ngc.get_referrers(1)",
    "settrace": "import sys\nsys.settrace(None)",
    "an audit hook": "import sys\nsys.addaudithook(print)",
    "exec": "exec('1')",
    "eval": "eval('1')",
    "exec in a magic": "%timeit -n 1 -r 1 exec('1')",
    "exec in a timed cell": "%%time\nexec('1')",
    "a function of a code object": "import types\n\n\ndef f():\n    pass\n\n\n"
    "types.FunctionType(getattr(f, '__co' + 'de__'), {})",
    "a pickle": "import pickle\npickle.loads(pickle.dumps(eval))",
    "ctypes": "import ctypes\nctypes.string_at(b'x')",
    "memory of the process": "open('/pr' + 'oc/self/maps', 'rb').close()",
    "a way round to it": "import os\nos.chdir('/')\nopen('proc/self/maps', 'rb').close()",
    "a descriptor": "try:\n    open(3, 'wb')\nexcept (OSError, PermissionError):\n    pass",
    "a fork": "import os\nif not os.fork():\n    os._exit(0)",
    "code replaced": "from exercise_kit import comparison\n\n\ndef f():\n    pass\n\n\n"
    "comparison.same.__code__ = f.__code__",
}
HONEST = [
    "import gc\ngc.collect()",
    "import inspect\ninspect.signature(print)\ninspect.signature(lab)",
    RAISED + "import traceback\ntraceback.print_exception(error)",
    "import collections\nPoint = collections.namedtuple('Point', 'x y')",
    "import dataclasses\n\n\n@dataclasses.dataclass(frozen=True)\nclass Point:\n    x: int = 0",
    "import enum\nColour = enum.Enum('Colour', 'RED GREEN')",
    "import logging, warnings\nlogging.warning('x')\nwarnings.warn('x')",
    "import typing\n\n\nclass Point(typing.NamedTuple):\n    x: int",
    "import pickle, torch\npickle.loads(pickle.dumps({'a': torch.ones(3), 'b': [1, {2}]}))",
    "import copy, torch\ncopy.deepcopy(torch.nn.Linear(2, 2))",
    "torch.save({'a': torch.ones(3)}, 'a.pt')\ntorch.load('a.pt')",
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'pass'], check=True)",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('a.png')",
    "import tempfile\nwith tempfile.NamedTemporaryFile() as file:\n    file.write(b'x')",
    "from torch.utils.data import DataLoader\nlist(DataLoader(range(4), num_workers=1))",
    "model = torch.compile(torch.nn.Linear(2, 2), backend='eager')\nmodel(torch.ones(2, 2))",
    "%timeit -n 1 -r 1 torch.ones(2)",
    "lab(gpus=1)\ntorch.cuda.memory_summary()\nprint(torch.cuda.mem_get_info())",
]


@pytest.fixture(scope="module")
def judge_process() -> Iterator[JudgeProcess]:
    settings = GradingSettings(hidden(ASSIGNMENT), level())
    with contextlib.closing(JudgeProcess(settings)) as found:
        yield found


@pytest.fixture
def told(judge_process, tmp_path):
    """Grades right answers with cells of one's own; what was told of them, the look left out."""

    def graded(*own: tuple[str, str], **answers: str) -> Graded:
        return graded_by(judge_process, ASSIGNMENT, tmp_path, own, references(ASSIGNMENT) | answers)

    return graded


def graded_by(
    judge_process: JudgeProcess,
    assignment: str,
    course: Path,
    own: Cells,
    answers: Mapping[str, str],
) -> Graded:
    notebook = filled_in(assignment, answers)
    notebook["cells"] = list(with_own(notebook["cells"], own))
    folder = course / "submitted" / "mallory" / assignment
    folder.mkdir(parents=True)
    (folder / f"{assignment}.ipynb").write_text(json.dumps(notebook))
    release = released_assignment(assignment)
    prepared = SubmittedFolder("mallory", folder).prepare(release)
    found = judge_process.grade(prepared.job)
    flags = prepared.completed(found).flags[len(prepared.flags) :]
    return Graded(found.student, found.assignment, found.verdicts, flags=flags)


@pytest.mark.parametrize("way", only(list(WAYS)[::4], WAYS))
def test_a_way_in_is_told_with_its_line(way, told):
    graded = told(("before move_batch", WAYS[way]))
    assert graded.flags, way
    (flag, *_) = graded.flags
    if "thread" not in way and "magic" not in way and "timed" not in way:  # where no cell calls it
        assert flag.cell == "cell 8" and flag.source in WAYS[way].replace("    ", "")


@pytest.mark.parametrize("cell", only(HONEST[::4], HONEST))
def test_what_honest_code_does_is_not_told(cell, told):
    graded = told(("before fix_mismatch", cell))
    assert graded.flags == ()
    assert has_its_due(graded)


def test_a_line_costs_no_point(told):
    comment = '"""\nx = gc.get_objects()\n"""\n'  # the same line, where it does nothing
    cell = "import gc\n\n\n\nx = gc.get_objects()"
    graded = told(("before move_batch", comment), ("before fix_mismatch", cell))
    (flag,) = graded.flags
    assert (flag.line, flag.source, flag.why) == (
        5,
        "x = gc.get_objects()",
        "lists the objects that are alive",
    )
    assert has_its_due(graded)


def test_a_flood_ends_in_one_line(told):
    text = "\n".join(f"exec('x = {number}')" for number in range(300))
    graded = told(("before fix_mismatch", text))
    assert len(graded.flags) == 51
    assert "which is not listed" in graded.flags[-1].why
    assert has_its_due(graded)


WITHDRAWN = """
import os, stat
for number in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            {how}
    except OSError:
        pass
import gc
try:
    found = gc.get_objects()
except Exception:
    found = None
"""


@pytest.mark.parametrize(
    "how",
    [
        "os.close(number)",
        "os.dup2(os.pipe()[1], number)",
        "os.set_blocking(number, False); [os.write(number, b'x' * 90) for _ in range(9999)]",
    ],
)
def test_what_cannot_be_told_does_not_happen(how, told):
    """Whoever takes the way out away does not get what would have been told."""
    lie = "def fix_mismatch(*arguments):\n    return None"
    after = "class Got(Exception):\n    pass\n\n\nif found:\n    raise Got\n"
    graded = told(
        ("before fix_mismatch", WITHDRAWN.format(how=how) + after + "\nfound_all = bool(found)"),
        fix_mismatch=lie,
    )
    first, *others = graded.verdicts
    assert not first.points
    assert all(each.points in (None, due(each)) for each in others)


def graded_alone(
    assignment: str, short: str, answers: Mapping[str, str], course: Path
) -> tuple[Verdict, Graded]:
    """What came of one of the answers, and of all of them, by a judge of their own."""
    settings = GradingSettings(hidden(assignment), level())
    with contextlib.closing(JudgeProcess(settings)) as judge_process:
        graded = graded_by(judge_process, assignment, course, (), answers)
    (part,) = (each for each in graded.verdicts if each.exercise.endswith(f".{short}"))
    return part, graded


PARTS_OF_A_PROGRAM = {
    "01_machine": ("pick_device", ""),
    "10_saving": ("save", ""),
    "01_machine, by a computed name": (
        "pick_device",
        "    import gc\n    found = getattr(gc, 'get_' + 'objects')()\n",
    ),
    "01_machine, the way out closed": (
        "pick_device",
        "    import gc, os\n    os.closerange(3, 64)\n    found = gc.get_objects()\n",
    ),
}


@pytest.mark.more
@pytest.mark.parametrize("case", PARTS_OF_A_PROGRAM)
def test_what_a_part_of_a_program_reaches_for_is_told_as_well(case, tmp_path):
    assignment, (short, reaching) = case.partition(",")[0], PARTS_OF_A_PROGRAM[case]
    head, colon, body = references(assignment, parts=True)[short].partition("):\n")
    answers = {short: f"{head}{colon}{reaching}{body}"}
    part, graded = graded_alone(assignment, short, answers, tmp_path)
    if "closed" in case:  # what cannot be told does not happen
        assert part.kind == "finding"
        return
    assert part.kind == "passed"
    assert bool(graded.flags) == bool(reaching)
    if reaching:
        (flag,) = graded.flags
        line = answers[short].splitlines()[flag.line - 1].strip()
        assert (flag.cell, flag.source) == (short, line)
        assert flag.why == "lists the objects that are alive"


@pytest.mark.more
@pytest.mark.parametrize("wrong", ["brought_back_by_the_worker", "spawned"])
def test_processes_that_python_leaves_by_itself_are_not_told(wrong, tmp_path):
    """A DataLoader's, whose end waits for the traceback that holds it; and what "spawn" starts."""
    short, place = "fix_loader", exercise("feeding.fix_loader").path
    (wrongly,) = (each.source for each in known_answers(place, "wrong") if each.name == wrong)
    answers = references("09_feeding") | {short: wrongly}
    part, graded = graded_alone("09_feeding", short, answers, tmp_path)
    assert part.kind == "finding"
    assert graded.flags == ()


@pytest.mark.slow
def test_our_own_files_are_known_from_any_folder(tmp_path):
    """An instructor grades in the class's folder, and not in the course's."""
    script = "from course_grading.worker.audit import AuditLists as A; print(*A.read().homes)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert {f"{ROOT}/", f"{ROOT}/packages/"} <= set(done.stdout.split())
