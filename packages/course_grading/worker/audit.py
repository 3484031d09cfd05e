"""An audit hook that reports suspicious actions of a submission before they happen.

CPython raises an audit event before it returns a frame, lists all objects, runs a string as code or
loads an object that a pickle names. An audit hook cannot be removed. This hook sends a message into
a write-only socket, then lets the operation continue. If the message cannot be sent, the operation
fails. A message never changes a grade.

There is no event for the dictionary of a function or a module, for `__subclasses__`, for an
assignment to a library, for `os.dup2` and `os.write`: these are in `hints.py`. The lists
are in audit.toml.
"""

import json
import linecache
import os
import re
import site
import sys
import sysconfig
import threading
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PosixPath
from types import CodeType, FrameType
from typing import Any, NamedTuple

from course_utils.manifest import repository_root

THREAD_LEFT = "course_grading.thread_left"
"""Our own audit event for a thread that was left running, with its current frame."""

_MOST_LINES, _LONGEST = 50, 200  # messages; characters of a source line
_PATHS = (str, bytes, PosixPath)
_IN_PROC = re.compile(r"(?:\A|/)proc(?:/|\Z)")


class AuditLists(NamedTuple):
    """The lists of audit.toml, in a form that cannot be changed.

    homes: the folders of libraries, inner ones first; code outside them is the submission's.
    """

    homes: tuple[str, ...]
    told: Mapping[str, str]
    frames: frozenset[str]
    data: frozenset[str]
    running: frozenset[str]
    own: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls) -> "AuditLists":
        """The lists in audit.toml."""
        lists = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        paths = sysconfig.get_paths()
        folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
        folders |= {site.getusersitepackages(), str(Path(__file__).parents[2])}
        folders.add(str(repository_root()))
        folders |= {path for path in sys.path if os.path.isdir(path)}
        return cls(
            homes=tuple(f"{path}{os.sep}" for path in sorted(folders, key=len, reverse=True)),
            told={event: why for why, events in lists["told"].items() for event in events},
            frames=frozenset(lists["frames"]),
            data=frozenset(lists["data"]),
            running=frozenset(lists["running"]),
            own={event: tuple(files) for event, files in lists["own"].items()},
        )


_LISTS = AuditLists.read()  # at import, because a sandbox does not contain the file


def audit(descriptor: int, guarded: Collection[int]) -> None:
    """Report suspicious actions of a submission from now on.

    descriptor: a socket for whole messages. Each is JSON: the file or cell, the line number, the
        source line and the action.
    guarded: the ids of functions whose code must not be replaced; trying raises PermissionError.
    """
    sys.addaudithook(_hook(descriptor, frozenset(guarded), _LISTS))


def _hook(
    descriptor: int, guarded: frozenset[int], known: AuditLists
) -> Callable[[str, tuple[Any, ...]], None]:
    # Local references to all functions used below, which a patched module does not change.
    getframe, write, fstat, encode = sys._getframe, os.write, os.fstat, json.JSONEncoder().encode
    texts: dict[str, Any] = linecache.cache
    responsible, reason, thread = _responsible, _reason, threading.get_ident
    way_out, told, asking = fstat(descriptor).st_ino, set[str](), set[int]()
    home_of: dict[str, str] = {}  # by file

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "builtins.id":  # there are hundreds in a case
            return
        why = reason(event, arguments, known)
        if not why:
            return
        if event == "sys._getframe" and thread() in asking:
            asking.discard(thread())  # the call of this hook itself
            return
        asking.add(thread())
        own = known.own.get("ctypes" if event.startswith("ctypes.") else event, ())
        at = arguments[0] if event == THREAD_LEFT else getframe(1)
        file, line = responsible(at, own, known.homes, home_of)
        if file is None:
            return
        lines = texts.get(file, (0, 0, []))[2]
        source = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        text = encode([file, line, source[:_LONGEST], why])
        if text not in told and len(told) <= _MOST_LINES:
            told.add(text)
            if len(told) > _MOST_LINES:
                text = encode(["", 0, "", "does more of this kind, which is not listed"])
            if fstat(descriptor).st_ino != way_out:
                raise PermissionError("the socket of the audit was replaced")
            write(descriptor, text.encode())
        if event == "object.__setattr__" and id(arguments[0]) in guarded:
            raise PermissionError("the code of an observer cannot be replaced")

    return hook


def _reason(event: str, arguments: tuple[Any, ...], known: AuditLists) -> str:
    """The reason to report an event; "" for a harmless one."""
    match event, arguments:
        case "exec", [CodeType(co_filename=file)] if file.startswith(known.homes):
            return ""  # a library is imported
        case _ if event in known.told:
            return known.told[event]
        case "compile", [_, file]:
            foreign = str(file).startswith((*known.homes, "<frozen"))
            return "compiles code under the name of another file" if foreign else ""
        case "import", [_, str(file), *_] if not file.startswith(known.homes):
            return f"loads {file}, which is not Python code"
        case "object.__getattr__", [_, name]:
            return f"gets a stack frame by `{name}`" if name in known.frames else ""
        case "object.__setattr__", [_, "__class__" | "__code__" as name, *_]:
            return f"replaces `{name}`"
        case "pickle.find_class", [module, name]:
            data = module.partition(".")[0] in known.data and "." not in name
            if not data or name in known.running:
                return f"loads `{module}.{name}` from a pickle"
        case "open" | "os.chdir" | "os.link" | "os.listdir" | "os.scandir" | "os.symlink", _:
            path = arguments[0]
            if type(path) is int:
                return "opens a descriptor by its number" if event == "open" and path > 2 else ""
            if path is not None and type(path) not in _PATHS:
                return "names a file by an object of its own class"
            if str(path).endswith(".pyc") and not str(path).startswith(known.homes):
                return "loads compiled code"
            return "looks at processes in `/proc`" if _IN_PROC.search(str(path)) else ""
    return ""


def _responsible(
    frame: FrameType | None, own: tuple[str, ...], homes: tuple[str, ...], home_of: dict[str, str]
) -> tuple[str | None, int]:
    """The submission's cell or file and the line; None if a library acts on its own account."""
    while frame is not None:
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if file not in home_of:
            home_of[file] = next((home for home in homes if file.startswith(home)), "")
        home = home_of[file]
        if not (home or file.startswith("<frozen ")):
            return file, frame.f_lineno
        # An import, or a library that may do this; but walk_tb returns frames to its caller.
        may = file[len(home) :].startswith(own) and not name.startswith("walk_")
        if may or (home and name == "<module>"):
            return None, 0
        frame = frame.f_back
    return "", 0
