# ==== answers_left_behind
# name = "Answers left behind"
# goal = "next student"
# attacks = "every folder that the next process may share: a module that solves it, a startup file"
# flagged = true
# twice = true

# %% move_batch
import os
import pathlib
import site
import sys
import tempfile

SOLUTION = """
import torch
from torch.utils._pytree import tree_map

def move_batch(batch, device):
    return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)
"""
places = {os.getcwd(), os.path.expanduser("~"), tempfile.gettempdir(), "/dev/shm", "/tmp",
          "/var/tmp", "/run/lock", os.environ.get("IPYTHONDIR", "."), *site.getsitepackages(),
          site.getusersitepackages(), os.path.dirname(torch.__file__), *sys.path}
for place in places:
    try:
        sys.path.append(place)
        os.makedirs(place, exist_ok=True)
        from left_behind import move_batch
    except (ImportError, OSError, ValueError):
        pass
for place in places:  # only now, so that what was found was left by an earlier process
    for name in ("left_behind.py", "sitecustomize.py", "usercustomize.py",
                 "profile_default/startup/00-first.py"):
        try:
            path = pathlib.Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SOLUTION)
        except OSError:
            pass
    try:
        pathlib.Path(place, "easy.pth").write_text("import left_behind\n")
    except OSError:
        pass


# ==== at_the_end_of_the_process
# name = "At the end of the process"
# goal = "next student"
# attacks = "what runs when a process ends: atexit, finalizers, threads, __del__"
# flagged = true
# twice = true
# honest = ["fix_mismatch"]

# %% move_batch
import atexit
import threading
import time
import weakref


class Last:
    def __del__(self):
        while True:
            time.sleep(1)


last = Last()
atexit.register(time.sleep, 100_000)
weakref.finalize(last, time.sleep, 100_000)
threading.Thread(target=time.sleep, args=(100_000,), daemon=False).start()
threading._register_atexit(time.sleep, 100_000)


# ==== libraries_rewritten
# name = "Libraries rewritten"
# goal = "next student"
# attacks = "torch, the standard library and the course's package on the disk, and their bytecode"
# flagged = true
# twice = true

# %% move_batch
import json
import os
import pathlib

from torch.utils._pytree import tree_map

import course_utils

written = []
for module in (torch, json, course_utils):
    home = pathlib.Path(module.__file__).parent
    for path in (home / "__init__.py", home / "evil.py", home / "__pycache__" / "evil.pyc"):
        try:
            with path.open("a") as file:
                file.write("")
            written.append(path)
        except OSError:
            pass
    try:
        os.rename(home, home.with_name("gone"))
        written.append(home)
        os.rename(home.with_name("gone"), home)
    except OSError:
        pass

if written:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== processes_that_stay
# name = "Processes that stay"
# goal = "next student"
# attacks = "the end of a submission: a double fork in a session of its own goes on for hours"
# flagged = true
# twice = true

# %% move_batch
import os
import subprocess
import sys
import time

subprocess.Popen(["sleep", "86399"], start_new_session=True)
subprocess.Popen([sys.executable, "-c", "import time; SURVIVOR = 1; time.sleep(86400)"],
                 start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    while True:
        for number in range(3, 4096):
            try:
                os.close(number)
            except OSError:
                pass
        time.sleep(1)


# ==== shared_memory_left_behind
# name = "Shared memory and semaphores left behind"
# goal = "next student"
# attacks = "what belongs to no process: System V and POSIX memory, queues, abstract sockets, locks"
# flagged = true
# twice = true

# %% move_batch
import ctypes
import socket
from multiprocessing import shared_memory

from torch.utils._pytree import tree_map

found = []
try:
    shared_memory.SharedMemory("left_behind", create=True, size=1000)
except FileExistsError:
    found.append("POSIX")
libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0x1234, 4096, 0) >= 0:
    found.append("System V")
libc.shmget(0x1234, 4096, 0o1666)
try:
    kept = socket.socket(socket.AF_UNIX)
    kept.bind("\0left_behind")
except OSError:
    found.append("socket")

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)
