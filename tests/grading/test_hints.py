"""Hints name lines that reach for the checker, and no line of an honest answer."""

import ast
import pickle
import random
import re
import time
from pathlib import Path

import pytest

from course_authoring.conversion import notebook_from_text
from course_grading.hints import hints
from course_utils.manifest import load_manifest
from exercise_kit.corpus import known_answers
from exercise_kit.reference import TRY, reference

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(file.parent for file in ROOT.glob("assignments/exercises/*/*/answer.py"))

NAMED = {
    "capstone/train_or_resume/wrong/model_pickled",  # weights_only=False
    "machine/pick_device/wrong/listens",  # a socket
    "machine/pick_device/wrong/remembers",  # /proc
    "saving/load_anywhere/wrong/weights_only_false",
    "saving/weights/wrong/the_whole_model_with_its_code",
}


def whys(*cells: str) -> set[str]:
    return {flag.why for flag in hints([(f"cell {n}", text) for n, text in enumerate(cells)])}


def test_no_reference_is_named():
    assert len(FOLDERS) == len(load_manifest(ROOT / "course.toml").exercise_names)
    assert {f: named for f in FOLDERS if (named := hints([(f.name, reference(f))]))} == {}


def test_no_line_to_try_an_answer_with_is_named():
    named, parsed = {}, 0
    for folder in FOLDERS:
        text = (folder / "answer.py").read_text().partition(TRY)[2]
        lines = [line.removeprefix("# ") for line in text.split("\n")]
        uncommented = "\n".join([f"# {lines[0]}", *lines[1:]])
        ast.parse(uncommented)
        parsed += 1
        if found := hints([(folder.name, uncommented)]):
            named[folder] = found
    assert named == {} and parsed == len(FOLDERS)


@pytest.mark.slow
def test_hardly_any_known_answer_is_named():
    home = ROOT / "assignments" / "exercises"
    answers = {
        f"{folder.relative_to(home)}/{kind}/{answer.name}": answer.source
        for folder in FOLDERS
        for kind in ("accepted", "wrong")
        for answer in known_answers(folder, kind)
    }
    assert len(answers) >= 5 * len(FOLDERS)
    named = {name for name, source in answers.items() if hints([("a", source)])}
    assert named == NAMED
    assert len(named) <= len(answers) / 200


def test_what_lessons_teach_is_not_named():
    """In the lessons that start no programs of their own, apart from shell lines and the clock."""
    lessons_own = re.compile("IPython shell|`virtual_cuda")
    named = []
    for text in sorted(ROOT.glob("notebooks/text/0[234789]_*.py")):
        cells = notebook_from_text(text.read_text()).cells
        code = [(c.id, c.source) for c in cells if c.cell_type == "code"]
        named += [(text.name, flag) for flag in hints(code) if not lessons_own.search(flag.why)]
    assert named == []


HONEST = [
    "m = torch.utils\nm.data.DataLoader([])",
    "hasattr(torch, 'compile')\ngetattr(torch.backends, 'mps', None)\nprint(torch.version)",
    "from torch.nn.parallel import replicate\nreplicate(model, devices)",
    "for name in ('weight', 'bias'):\n    print(getattr(layer, name))",
    "names = {'Linear': 'weight'}\nprint(getattr(layer, names[kind]))",
    "for name, value in found:\n    setattr(layer, name, value.to(device))",
    "[getattr(layer, name) for name in ['weight', 'bias']]",
    "torch.load('model.pt', weights_only=True)",
    "np.load('x.npy', allow_pickle=False)",
    "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 80",
    "%timeit torch.ones(3) + 1",
    "%timeit -n 10 -r3 torch.ones(3)",
    "import timeit\ntimeit.timeit(lambda: f(x), number=3)\ntimeit.timeit('f(x)', number=3)",
    "import timeit\ndef f():\n    pass\n\n\nprint(min(timeit.repeat(f, number=3)))",
    "print('{:.1f} s'.format(seconds))\ntext = 'a {}'\nprint(text.format(1))",
    "import functools\n@functools.wraps(f)\ndef g(x):\n    return f(x)",
    "import copy\ncopy.deepcopy(model)",
    "from __future__ import annotations",
    "%%time\ntotal = sum(range(10))",
    "!nvidia-smi -L",
    "!nvidia-smi --query-gpu=index,uuid --format=csv",
    "lines = !nvidia-smi -q -d MEMORY | grep -A4 GPU | head -n 3",
    "!pip install torch==2.13",
    "model = model.eval()\nmodel = torch.compile(model)",
    "import gc\ngc.collect()\ntorch.cuda.empty_cache()",
    "import sys\nprint(sys.version, sys.getsizeof(3), file=sys.stderr)",
    "import re\npattern = re.compile('a')",
    "for i in range(3):\n    layer = getattr(self, f'layer{i}')",
    "name = 'layer' + str(3)\nlayer = getattr(model, name)",
    "torch.backends.cudnn.benchmark = True",
    "p.grad = None\nlayer.weight = torch.nn.Parameter(w)\nmodel.forward = lambda x: x",
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self._cache = {}\n\n    def _same(self, other):\n        return other._cache",
    "class Data:\n    def __getstate__(self):\n        return self.__dict__ | {'file': None}",
    "from IPython.display import clear_output, display",
    "import os\nfrom unittest import mock\nwith mock.patch.dict(os.environ, {'A': '1'}):\n    pass",
    "import torch.multiprocessing as mp\nmp.spawn(work, nprocs=2)",
    "import logging, warnings\nlogging.basicConfig()\nwarnings.warn('once')",
    "import threading\nt = threading.Thread(target=work)\nt.start()\nt.join()",
    'def f():\n    """Unlike `exec`, and unlike __globals__ and /proc, harmless."""\n    return 1',
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import torch; print(1)'])",
    "Net = type(model)\nprint(type(model).__name__, model.__class__.__name__)",
    "def counted(x):\n    counted.calls += 1\n\n\ncounted.calls = 0",
    "try:\n    x = f()\nexcept Exception as error:\n    print(error)",
    "with torch.no_grad():\n    p.copy_(q)",
    "torch.save(state, 'model.pth')\nopen('log.txt', 'w').close()",
    "import traceback\ntraceback.print_exc()",
]


@pytest.mark.parametrize("cell", HONEST)
def test_what_honest_code_does_passes(cell):
    assert hints([("cell 1", cell)]) == ()


REACHING = [
    "import course_utils\ndef find(m):\n    return m.checking\nfind(course_utils)",
    "import course_utils\nm, _ = course_utils, 0",
    "import course_utils\nclass Home:\n    m = course_utils",
    "import copy\n(lambda m: m.deepcopy)(copy)",
    "import sys\nsys._getframe(1)",
    "import sys\nsys.modules['torch']",
    "import gc\ngc.get_objects()",
    "import inspect\ninspect.stack()",
    "from inspect import currentframe",
    "import ctypes",
    "import importlib",
    "import IPython",
    "import builtins",
    "import socket",
    "import signal",
    "import atexit",
    "import marshal",
    "import exercises.tensors.move_batch.judge",
    "from course_utils.checking import facts",
    "import exercise_kit.runner as b",
    "from course_utils import checking",
    "import course_utils\ncourse_utils.checking",
    "from course_grading.executor import JudgeProcess",
    "import virtual_cuda",
    "from torch.utils._python_dispatch import TorchDispatchMode",
    "from torch.overrides import TorchFunctionMode",
    "torch.utils.cpp_extension.load_inline('x', '')",
    "torch._C._log_api_usage_once('x')",
    "from torch import _C",
    "from torch import sys as s",
    "torch.sys.exit()",
    "import os\nos.fork()",
    "import os\nos.dup2(3, 1)",
    "import os\nos.write(3, b'')",
    "import os\nos.kill(1, 9)",
    "from os import _exit",
    "from os import *",
    "import os\nf = os\nf.fork",
    "open('/proc/self/mem', 'rb')",
    "exec('x = 1')",
    "e = eval",
    "compile('1', '', 'eval')",
    "globals()['check'] = None",
    "locals()",
    "__import__('os')",
    "__builtins__",
    "breakpoint()",
    "ｅｘｅｃ('x')",  # Python reads it as exec
    "f.__globals__",
    "f.__closure__[0].cell_contents",
    "f.__code__ = g.__code__",
    "object.__subclasses__()",
    "type(x).mro()",
    "x.__class__ = Other",
    "x.__class__.__eq__ = lambda a, b: True",
    "type(x).__eq__ = lambda a, b: True",
    "generator.gi_frame.f_back",
    "error.__traceback__.tb_frame",
    "getattr(f, '__globals__')",
    "getattr(f, '__slabolg__'[::-1])",
    "names = {'a': 'f_back'}\ngetattr(frame, names['a'])",
    "for name in ('weight', 'f_back'):\n    getattr(thing, name)",
    "torch.load('model.pt', weights_only=False)",
    "torch.load('model.pt', weights_only=not safe)",
    "np.load('x.npy', allow_pickle=True)",
    "import pickle\npickle.load(open('x.pkl', 'rb'))",
    "from pickle import load",
    "import pickle\npickle.Unpickler(file).load()",
    "import pandas\npandas.read_pickle('x.pkl')",
    "import shelve",
    "import joblib",
    "from operator import attrgetter\nattrgetter('__globals__')(f)",
    "import operator\noperator.attrgetter('_x'.replace('x', 'y'))(f)",
    "'{0.__globals__}'.format(f)",
    "torch.Tensor.to = lambda self, *a: self",
    "setattr(torch.Tensor, 'to', fake)",
    "setattr(torch, name, fake)",
    "for torch.Tensor.to in [fake]:\n    pass",
    "[0 for torch.Tensor.to in [fake]]",
    "with manager() as torch.Tensor.to:\n    pass",
    "del torch.Tensor.to",
    "def fake(x):\n    return x\n\n\nfor owner in owners:\n    owner.to = fake",
    "from course_utils.experiments import copies\ncopies.count_copies = None",
    "check.__code__",
    "import json\njson.dumps = lambda *a, **k: '{}'",
    "class T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, *a):\n        pass",
    "class Meta(type):\n    def __instancecheck__(cls, x):\n        return True",
    "class P:\n    def __reduce__(self):\n        return print, ()",
    "import threading\nthreading.Thread(target=f, daemon=True).start()",
    "import threading\nthreading.Timer(9, f).start()",
    "import subprocess\nsubprocess.Popen(['sleep', '9'], start_new_session=True)",
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import ctypes'])",
    "import subprocess\nsubprocess.run('setsid sleep 9', shell=True)",
    "get_ipython().user_ns",
    "shell = get_ipython()",
    "%load_ext evil",
    "%run other.py",
    "!cat ../source/answer.py",
    "!nvidia-smi; rm -rf ~",
    "x = !env",
    "!nvidia-smi | grep -r a /",
    "%%bash\nls",
    "%%time\nimport ctypes",
    "%%time\nx = thing._hidden",
    "%%timeit\n%time thing._hidden",
    "%timeit -n 1 -r 1 thing._hidden",
    "import string\nstring.Formatter().get_field('0.x', [f], {})",
    "('{0.__clo' + 'sure__}').format(f)",
    "import functools\nfunctools.wraps(f, assigned=names)(g)",
    "import pkgutil\npkgutil.resolve_name(name)",
    "import copy\nmemo = {}\ncopy.deepcopy(model, memo)",
    "import pickle\nclass P(pickle.Pickler):\n    pass",
    "import posix\nposix.putenv('A', '1')",
    "import __main__ as notebook\nshell = notebook.get_ipython()",
    "from __main__ import get_ipython as shell",
    "def double(x):\n    return float(In[-1].rpartition('==')[2])",
    "import inspect\ninspect.getclosurevars(step)",
    "import _xxsubinterpreters",
    "class A:\n    def __init__(self):\n        self._copies = 0\n\n\nmode._copies",
    "import timeit\ntimeit.timeit('import ctypes')",
    "from multiprocessing import resource_tracker\nresource_tracker.ensure_running()",
    "start([python, '-c', 'from multiprocessing.resource_tracker import main;main(3)'])",
    "start([python, '-c', 'from multiprocessing.forkserver import main; main(3)'])",
    "display('<script>alert(1)</script>')",
    "open('../../gradebook.db', 'rb')",
    "os.environ['COURSE_GRADING_SEED']",
    "a = " + "(" * 150 + ")" * 150 + "\n" + "x = " + "-" * 20_000 + "1",
    "#" * 150_000,
]


UNSEEN = [
    "open('/' + 'proc' + '/self')",
    "getattr(f, '__glo' + 'bals__')",
    "map(getattr, things, names)",
    "T = torch.Tensor\nT.to = fake",
]


@pytest.mark.parametrize("cell", UNSEEN)
def test_a_computed_name_avoids_a_hint(cell):
    """As the guide says: that there is no hint proves nothing."""
    assert hints([("cell 1", cell)]) == ()


@pytest.mark.parametrize("cell", REACHING, ids=lambda cell: cell[:40])
def test_what_reaches_too_far_is_named(cell):
    assert hints([("cell 1", cell)])


def test_a_flag_says_where_and_why():
    answer = "\n\ndef move_batch(batch, device):\n    os.fork()  # ?\n"
    cells = [("setup", "import os"), ("move_batch", answer)]
    (flag,) = hints(cells)
    assert (flag.cell, flag.line, flag.source) == ("move_batch", 4, "os.fork()  # ?")
    assert "fork" in flag.why


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("\n\n!reboot", 3),
        ("\n\n%time exec('1')", 3),
        ("x = 1\n\n%%time\nexec('1')", 4),
        ("x = 1\n%matplotlib inline\nexec('1')", 3),
    ],
)
def test_lines_are_those_of_the_cell_as_written(cell, line):
    assert {(flag.line, flag.source) for flag in hints([("cell 1", cell)])} == {
        (line, cell.split("\n")[line - 1])
    }


def test_what_one_cell_imports_another_may_use():
    assert whys("import os as o", "o.fork()")


def test_a_cell_that_is_no_python_gives_no_flag():
    assert hints([("a", "def broken(:\n  exec('1')"), ("b", "x = \0 exec"), ("c", "")]) == ()


def test_a_source_line_is_clipped_and_holds_no_control_characters():
    (flag,) = hints([("a", "exec('" + "\x1b[31m" + "a" * 5000 + "')")])
    assert len(flag.source) < 200 and flag.source.isprintable()


def test_a_file_that_begins_like_a_pickle_is_named_and_python_beside_is_looked_at():
    files = {
        "data.bin": pickle.dumps([1], protocol=4),
        "model.pt": b"PK\x03\x04",
        "helper.py": b"import math\nimport ctypes\n",
        "notes.txt": b"import ctypes",
    }
    assert [(f.cell, f.line) for f in hints([], files)] == [
        ("data.bin", 1),
        ("helper.py", 2),
    ]


def test_a_text_that_cannot_be_read_is_named_by_its_own_reason():
    cells = [("magics", "!ls\n" * 30), ("deep", "x = " + "-" * 9000 + "1")]
    assert [flag.why for flag in hints(cells)] == [
        "has too many magics to be checked",
        "is nested too deeply to be checked",
    ]


def test_there_are_never_too_many_flags():
    assert len(hints([("a", "exec('1')\n" * 5000)])) == 100


@pytest.mark.more
@pytest.mark.slow
def test_whatever_it_is_given_it_returns_in_time():
    """Every file of the standard library, cut in two somewhere: a look never raises."""
    rng = random.Random(7)
    files = sorted(Path(ast.__file__).parent.glob("*.py"))
    begun = time.process_time()
    for file in rng.sample(files, 40):
        text = file.read_text(encoding="utf-8", errors="replace")[:60_000]
        cut = rng.randrange(len(text) + 1)
        hints([("whole", text), ("begin", text[:cut]), ("end", text[cut:])])
    magics = "%x 1\n" * 20 + "y = '" + "a" * 25_000 + "'\n"
    hints([(str(n), magics) for n in range(20)])
    hints([(str(n), "torch" + ".a" * 1500) for n in range(100)])  # deeper than Python recurses
    assert time.process_time() - begun < 60
