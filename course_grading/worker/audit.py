"""Evidence that cannot be withdrawn: what a submission reaches for is told before it gets it.

CPython raises an audit event before it hands out a frame, lists the objects that are alive, runs
a text or loads what a pickle names, and nobody can take a hook on these events off. This one sends
a line into a socket that only goes out, and lets the operation go on after that: where the line
cannot be sent, the operation fails. What it tells never changes a grade.

No event tells of the dictionary of a function or a module, of `__subclasses__`, of an assignment
to a library, of `os.dup2` and `os.write`: for these there is the static look.
"""

import json
import linecache
import os
import pathlib
import re
import site
import sys
import sysconfig
from collections.abc import Callable, Collection
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_MOST_LINES, _LONGEST = 50, 200
_CELL = "<ipython-input-"
_CTYPES = "addressof call_function cdata cdata/buffer dlopen dlsym dlsym/handle string_at"
_EVENTS = {
    "code.__new__": "makes a code object",
    "exec": "runs a text or a code object",
    "function.__new__": "makes a function of a code object",
    "gc.get_objects": "lists the objects that are alive",
    "gc.get_referents": "lists what an object refers to",
    "gc.get_referrers": "lists what refers to an object",
    "marshal.loads": "reads a code object",
    "os.fork": "forks this process",
    "os.forkpty": "forks this process",
    "os.kill": "sends a signal",
    "os.killpg": "sends a signal",
    "socket.__new__": "opens a socket",
    "sys._current_exceptions": "takes the frames of all threads",
    "sys._current_frames": "takes the frames of all threads",
    "sys._getframe": "takes a frame",
    "sys.addaudithook": "adds an audit hook",
    "sys.setprofile": "traces what runs",
    "sys.settrace": "traces what runs",
    **{f"ctypes.{event}": "runs foreign code by `ctypes`" for event in _CTYPES.split()},
}
_FRAMES = frozenset({"ag_frame", "cr_frame", "gi_frame", "tb_frame"})
_PATHS = (str, bytes, pathlib.PosixPath)
# What pickles of data name, and what runs a text if a pickle names it.
_OF_DATA = ("__main__", "builtins", "collections", "multiprocessing", "numpy", "torch")
_RUNNING = {"__import__", "compile", "delattr", "eval", "exec", "getattr", "open", "setattr"}
_IN_PROC = re.compile(r"(?:\A|/)proc(?:/|\Z)")
# Who may do so on its own account: libraries, by how their files begin.
_OWN: dict[str, tuple[str, ...]] = {
    "code.__new__": ("torch/_dynamo/bytecode_transformation.py",),
    "compile": ("<frozen importlib", "IPython/core/", "torch/_inductor/", "virtual_cuda/kernels/"),
    "ctypes.cdata": ("virtual_cuda/random.py",),
    "exec": (
        *("IPython/core/", "assignments/exercises/", "exercise_kit/definitions.py", "timeit.py"),
        *("collections/__init__.py", "dataclasses.py", "networkx/utils/", "unittest/mock.py"),
        *("torch/_dynamo/guards.py", "torch/_guards.py", "torch/_inductor/", "torch/fx/"),
        "virtual_cuda/kernels/specialise.py",
    ),
    "import": ("torch/_inductor/",),
    "marshal.loads": ("<frozen importlib",),
    "object.__getattr__": ("traceback.py",),
    "object.__setattr__": ("networkx/utils/",),
    "open": ("multiprocessing/util.py", "psutil/", "subprocess.py", "tempfile.py"),
    "os.fork": ("multiprocessing/popen_fork.py",),
    "os.forkpty": ("ptyprocess/",),
    "os.kill": ("multiprocessing/popen_fork.py", "ptyprocess/", "subprocess.py"),
    "socket.__new__": ("multiprocessing/",),
    "sys._getframe": (
        *("IPython/core/", "collections/__init__.py", "enum.py", "filelock/", "logging/"),
        *("torch/_dynamo/convert_frame.py", "torch/_dynamo/guards.py", "torch/_library/"),
        *("torch/library.py", "traceback.py", "typing.py", "typing_extensions.py", "warnings.py"),
    ),
    "sys.settrace": ("exercise_kit/limits.py",),
}


def audit(descriptor: int, guarded: Collection[int]) -> None:
    """From now on tell what the code of a submission reaches for.

    descriptor: a socket that takes whole messages. Each is JSON: the file or cell, the line, its
        text and what it does.
    guarded: the ids of functions that nobody may give another code; to try raises PermissionError.
    """
    sys.addaudithook(_hook(descriptor, frozenset(guarded), _homes()))


def _homes() -> tuple[str, ...]:
    """The folders of libraries, inner ones first; what lies in no other is the submission's."""
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {site.getusersitepackages(), str(Path(__file__).parents[2])}
    folders |= {path for path in sys.path if os.path.isdir(path)}
    return tuple(f"{folder}{os.sep}" for folder in sorted(folders, key=len, reverse=True))


def _hook(
    descriptor: int, guarded: frozenset[int], homes: tuple[str, ...]
) -> Callable[[str, tuple[Any, ...]], None]:
    # What is called below is held here, out of the reach of whoever patches a module.
    getframe, write, fstat, encode = sys._getframe, os.write, os.fstat, json.JSONEncoder().encode
    texts, responsible, reason, own = linecache.cache, _responsible, _reason, dict(_OWN)
    way_out, told, asking = fstat(descriptor).st_ino, set[str](), list[bool]()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        why = reason(event, arguments, homes)
        if not why:
            return
        if asking and event == "sys._getframe":
            asking.clear()  # it is this hook that asks
            return
        asking.append(True)
        file, line = responsible(getframe(1), own.get(event, ()), homes)
        if file is None:
            return
        lines = texts.get(file, (0, 0, ()))[2]
        source = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        text = encode([file, line, source[:_LONGEST], why])
        if text not in told and len(told) <= _MOST_LINES:
            told.add(text)
            if len(told) > _MOST_LINES:
                text = encode(["", 0, "", "does more of this kind, which is not listed"])
            if fstat(descriptor).st_ino != way_out:
                raise PermissionError("the way out was replaced")
            write(descriptor, text.encode())
        if event == "object.__setattr__" and id(arguments[0]) in guarded:
            raise PermissionError("the code of what observes stays as it is")

    return hook


def _reason(event: str, arguments: tuple[Any, ...], homes: tuple[str, ...]) -> str:
    """What an event says about who causes it; "" for what anybody may do."""
    if event == "exec" and _is_of_a_library(arguments[0], homes):  # that is being imported
        return ""
    if event in _EVENTS:
        return _EVENTS[event]
    match event:
        case "compile":
            file = str(arguments[1])
            foreign = file.startswith((*homes, "<frozen", _CELL))
            return "compiles a text as if it stood in another file" if foreign else ""
        case "import":
            native = arguments[1] is not None and not str(arguments[1]).startswith(homes)
            return "loads a library of its own" if native else ""
        case "object.__getattr__":
            return f"takes a frame by `{arguments[1]}`" if arguments[1] in _FRAMES else ""
        case "object.__setattr__" | "object.__delattr__":
            replaced = arguments[1] in ("__class__", "__code__")
            return f"replaces `{arguments[1]}`" if replaced else ""
        case "pickle.find_class":
            module, name = arguments
            data = module.partition(".")[0] in _OF_DATA and not ("." in name or name in _RUNNING)
            return "" if data else f"loads `{module}.{name}`, which a pickle names"
        case "open" | "os.chdir" | "os.link" | "os.listdir" | "os.scandir" | "os.symlink":
            path = arguments[0]
            if type(path) is int:
                return "opens a descriptor by its number" if event == "open" and path > 2 else ""
            if path is not None and type(path) not in _PATHS:
                return "names a file by an object of its own kind"
            if str(path).endswith(".pyc") and not str(path).startswith(homes):
                return "loads compiled code"
            return "looks at processes in `/proc`" if _IN_PROC.search(str(path)) else ""
    return ""


def _is_of_a_library(code: Any, homes: tuple[str, ...]) -> bool:
    return type(code) is CodeType and code.co_filename.startswith(homes)


def _responsible(
    frame: FrameType | None, own: tuple[str, ...], homes: tuple[str, ...]
) -> tuple[str | None, int]:
    """The cell or file of the submission, and the line; None if a library acts by itself."""
    while frame is not None:
        file = frame.f_code.co_filename
        home = next((home for home in homes if file.startswith(home)), "")
        if not (home or file.startswith("<frozen ")):
            return file, frame.f_lineno
        name = frame.f_code.co_name
        # A module that is imported, or who may; walk_tb gives what it finds to whoever calls it.
        if (home and name == "<module>") or (
            file[len(home) :].startswith(own) and not name.startswith("walk_")
        ):
            return None, 0
        frame = frame.f_back
    return "", 0
