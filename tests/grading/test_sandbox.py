"""What a sandbox keeps in, by trying to get out; and what must still work inside.

Forked from real warm processes, as root and as an ordinary user.
"""

import errno
import json
import os
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from course_grading.sandbox import Level, Limits, SandboxRefused
from course_grading.sandbox.confine import confine

CASE = Path(__file__).with_name("sandbox_case.py")
USER = 23456
SECRET = "canary-51c0ffee"
IS_ROOT = os.geteuid() == 0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux"),
    pytest.mark.timeout(600),
]


class Warm:
    """A warm process, and what it is asked to run."""

    def __init__(self, command: list[str]) -> None:
        # A test run says so in the environment, and virtual_cuda then compiles nothing.
        environment = {
            **os.environ,
            "SECRET_TOKEN": SECRET,
            "VIRTUAL_CUDA_HELPER": "off",
            "VIRTUAL_CUDA_PROBE": "skip",
            "OMP_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def run(self, level: str, program: str, **request: Any) -> dict[str, Any]:
        return self.ask(level=level, program=program, **request)

    def told(self, level: str, program: str, **request: Any) -> Any:
        """The one thing that a program told."""
        reply = self.run(level, program, **request)
        assert len(reply["told"]) == 1, reply
        return reply["told"][0]


def closed_folder(place: str | Path = sys.base_prefix) -> Path | None:
    """The folder on the way to a place, or to this Python, that only its owner may enter."""
    parents = reversed(Path(place).parents)
    return next((each for each in parents if not each.stat().st_mode & stat.S_IXOTH), None)


def command(kind: str, modules: list[str], scratch: Path) -> list[str]:
    """kind: root; user; or "open": root with a Python that everybody can read."""
    warm = [sys.executable, str(CASE), json.dumps(modules)]
    if kind == "root" or not IS_ROOT:
        return warm
    closed = closed_folder()
    if kind == "user":
        warm = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *warm]
    if closed is None:
        return warm
    python = Path(sys.base_prefix)
    steps = [
        ["mount", "--bind", python, scratch],
        ["mount", "-t", "tmpfs", "-o", "mode=755", "open", closed],
        ["mkdir", "-p", python],
        ["mount", "--bind", scratch, python],
        ["exec", *warm],
    ]
    script = " && ".join(shlex.join(map(str, step)) for step in steps)
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]


Start = Callable[[str], tuple[Warm, str]]


def starter(factory: pytest.TempPathFactory, modules: list[str]) -> Iterator[Start]:
    running: dict[str, tuple[Warm, dict[str, Any]]] = {}

    def start(where: str) -> tuple[Warm, str]:
        """where: as in "root FULL"."""
        kind, level = where.split()
        if kind != "user" and not IS_ROOT:
            pytest.skip("needs root")
        if kind == "user" and IS_ROOT and closed_folder(CASE):
            pytest.skip("other users may not enter the folder in which this course is")
        if kind not in running:
            warm = Warm(command(kind, modules, factory.mktemp("python")))
            running[kind] = warm, warm.ask(probe=True)
        warm, probed = running[kind]
        if Level[level] > Level[probed["level"]]:
            pytest.skip(f"{level} cannot be had here: {' '.join(probed['lacks'])}")
        return warm, level

    yield start
    for warm, _ in running.values():
        warm.process.stdin.close()
        warm.process.stdout.close()
        warm.process.wait(30)


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Iterator[Start]:
    yield from starter(tmp_path_factory, [])


@pytest.fixture(scope="module")
def warm_torch(tmp_path_factory) -> Iterator[Start]:
    modules = [
        "torch",
        "numpy",
        "IPython",
        "matplotlib.pyplot",
        "virtual_cuda",
        "torch.utils.data",
        "torch.multiprocessing",
        "torch.distributed",
    ]
    yield from starter(tmp_path_factory, modules)


@pytest.fixture(scope="module")
def gradebook() -> Iterator[Path]:
    """Open to everybody, outside of what a submission is shown. pytest's own folders are closed."""
    with tempfile.TemporaryDirectory(prefix="gradebook-") as name:
        file = Path(name, "gradebook.db")
        file.write_text(SECRET)
        file.parent.chmod(0o755)
        file.chmod(0o666)
        yield file


NAMESPACES = ["root FULL", "root NO_CGROUPS", "user NO_CGROUPS"]
CONFINED = [*NAMESPACES, "open KERNEL_RULES", "user KERNEL_RULES"]
EVERY = [*CONFINED, "root NONE", "user NONE"]
confined = pytest.mark.parametrize("where", CONFINED)
with_namespaces = pytest.mark.parametrize("where", NAMESPACES)

TRY = """
def outcome(trial):
    try:
        return str(trial())
    except BaseException as error:
        return type(error).__name__
"""
REFUSED = {
    "PermissionError",
    "FileNotFoundError",
    "ProcessLookupError",
    "NotADirectoryError",
    "ConnectionRefusedError",
}


# What is kept in


@confined
def test_files_outside_cannot_be_read(small, gradebook, where):
    warm, level = small(where)
    files = [
        str(gradebook),
        str(CASE),
        "/etc/shadow",
        "/etc/ssl/openssl.cnf",
        "/var/log/dpkg.log",
        "/proc/1/environ",
        "/proc/1/root/etc/shadow",
        "/proc/self/root/etc/shadow",
        "/tmp/../etc/shadow",
    ]
    for file in files:
        program = f"{TRY}\ntell(outcome(lambda: open({file!r}).read(50)))"
        assert warm.told(level, program) in REFUSED, file


@confined
def test_a_device_is_there_only_if_it_was_let_in(small, where):
    """As the nodes of GPUs are. Of a terminal, a process without one is told that it has none."""
    warm, level = small(where)
    program = f"{TRY}\ntell(outcome(lambda: open('/dev/tty')))"
    assert warm.told(level, program) in REFUSED
    assert warm.told(level, program, devices=["/dev/tty"]) == "OSError"


def test_the_gradebook_could_be_read_without_a_sandbox(small, gradebook):
    """So that the test above means something."""
    warm, _ = small("user NONE")
    assert warm.told("NONE", f"tell(open({str(gradebook)!r}).read())") == SECRET


@with_namespaces
def test_users_of_the_machine_are_not_listed(small, where):
    warm, level = small(where)
    text = warm.told(level, "tell(open('/etc/passwd').read())")
    assert text.startswith("learner:") and text.count("\n") == 1


@with_namespaces
def test_only_what_is_needed_is_there(small, where):
    warm, level = small(where)
    program = """
import os
tell({name: sorted(os.listdir(name)) for name in ("/", "/etc", "/dev", "/tmp", "/submission")})
"""
    found = warm.told(level, program, work={"data/a.txt": "1"})
    ours = {Path(place).parts[1] for place in (CASE, sys.prefix, sys.base_prefix)}
    assert not {"home", "boot", "var", "mnt", "srv", "run"} & set(found["/"]) - ours
    assert set(found["/etc"]) <= {
        "alternatives",
        "group",
        "hosts",
        "ld.so.cache",
        "nsswitch.conf",
        "passwd",
    }
    assert found["/dev"] == ["full", "null", "random", "shm", "urandom", "zero"]
    assert "home" in found["/tmp"]
    assert found["/submission"] == ["data"]


@confined
def test_nothing_outside_can_be_written(small, gradebook, where):
    warm, level = small(where)
    targets = [
        gradebook,
        sys.prefix,
        sys.base_prefix,
        CASE.parents[2] / "course_utils",
        "/usr",
        "/etc",
        "/",
        "/dev",
        "/sys/devices/system/cpu",
        "/var/tmp",
    ]
    for target in targets:
        program = f"""{TRY}
import os, pathlib
target = pathlib.Path({str(target)!r})
if target.is_dir():
    target /= "written"
tell(outcome(lambda: target.write_text("changed")))
"""
        result = warm.told(level, program)
        assert result in {*REFUSED, "OSError"}, target
    assert gradebook.read_text() == SECRET
    assert not Path("/var/tmp/written").exists()


@confined
def test_files_of_packages_cannot_be_changed_or_removed(small, where):
    warm, level = small(where)
    program = f"""{TRY}
import os, subprocess
file = subprocess.__file__
tell([outcome(trial) for trial in (
    lambda: open(file, "a"), lambda: os.truncate(file, 0), lambda: os.unlink(file),
    lambda: os.rename(file, file + "x"), lambda: os.chmod(file, 0o777),
    lambda: os.symlink("/", os.path.dirname(file) + "/link"))])
"""
    assert set(warm.told(level, program)) <= {"PermissionError", "OSError"}


@confined
def test_there_is_no_network(small, where):
    warm, level = small(where)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        program = f"""{TRY}
import socket
def family(number, protocol=0):
    socket.socket(number, socket.SOCK_RAW if number in (16, 17) else socket.SOCK_STREAM, protocol)
tell([outcome(trial) for trial in (
    lambda: socket.create_connection(("127.0.0.1", {port}), 2),
    lambda: socket.create_connection(("192.0.2.1", 80), 2),
    lambda: socket.getaddrinfo("pytorch.org", 80),
    lambda: family(16, 12), lambda: family(17), lambda: family(40))])
"""
        found = warm.told(level, program)
    assert not {each for each in found} - {*REFUSED, "OSError", "gaierror"}, found
    assert found[3:] == ["PermissionError"] * 3


@confined
def test_sockets_without_a_path_of_other_programs_are_out_of_reach(small, where):
    warm, level = small(where)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{SECRET}")
        listener.listen()
        program = (
            f"{TRY}\nimport socket\ntell(outcome(lambda: socket.socket(socket.AF_UNIX)"
            f".connect('\\0{SECRET}')))"
        )
        assert warm.told(level, program) in REFUSED


@confined
def test_other_processes_cannot_be_seen_or_signalled(small, where):
    warm, level = small(where)
    outside = warm.process.pid
    program = f"""{TRY}
import os
def readable(pid):
    for name in ("cmdline", "comm", "environ", "status", "maps", "mem"):
        try:
            open(f"/proc/{{pid}}/{{name}}", "rb").read(1)
            return True
        except OSError:
            pass
def pids():
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except PermissionError:  # not even their numbers
        return [{outside}, 1, os.getppid(), os.getpid()]
tell([[pid for pid in pids() if readable(pid) and pid != os.getpid()],
      outcome(lambda: os.kill({outside}, 0)), outcome(lambda: os.kill(os.getppid(), 9)),
      outcome(lambda: os.kill(1, 9)), os.getpid()])
"""
    reply = warm.run(level, program)
    seen, *signals, pid = reply["told"][0]
    assert seen == []
    assert signals[0] in REFUSED
    # The init takes no signal from inside: that of an ordinary user may be sent, in vain.
    assert {*signals[1:]} <= {"PermissionError", "None"}
    assert reply["status"] == 0
    if level != "KERNEL_RULES":
        assert pid == 2


@confined
def test_the_environment_is_a_short_list(small, where):
    warm, level = small(where)
    program = """
import os, subprocess, sys
child = subprocess.run([sys.executable, "-c", "import os; print(dict(os.environ))"],
                       capture_output=True, text=True)
tell([dict(os.environ), open(f"/proc/{os.getpid()}/environ").read(), child.stdout])
"""
    variables, original, child = warm.told(level, program)
    assert "SECRET_TOKEN" not in variables and variables["USER"] == "learner"
    assert SECRET not in str([variables, original, child]) and "HOME" in child
    assert not original.strip("\0")


@confined
def test_a_submission_runs_without_rights(small, where):
    warm, level = small(where)
    program = """
import os
status = dict(line.split(":\\t", 1) for line in
              open(f"/proc/{os.getpid()}/status").read().splitlines() if ":\\t" in line)
tell([status[name].strip() for name in
      ("CapInh", "CapPrm", "CapEff", "CapAmb", "NoNewPrivs", "Seccomp", "Uid", "Groups")])
"""
    *capabilities, nnp, seccomp_mode, uids, groups = warm.told(level, program)
    assert {int(each, 16) for each in capabilities} == {0}
    assert (nnp, seccomp_mode) == ("1", "2")
    assert "0" not in uids.split()
    assert not groups or IS_ROOT is False


CALLS = {
    "ptrace": "ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0)",
    "unshare user": "libc.unshare(0x10000000)",
    "unshare mount": "libc.unshare(0x20000)",
    "setns": "libc.setns(0, 0)",
    "mount": "libc.mount(b'a', b'/tmp', b'tmpfs', 0, b'')",
    "umount": "libc.umount2(b'/tmp', 2)",
    "chroot": "libc.chroot(b'/tmp')",
    "process_vm_readv": "libc.process_vm_readv(os.getpid(), 0, 0, 0, 0, 0)",
    "sethostname": "libc.sethostname(b'a', 1)",
    "personality": "libc.personality(0)",
    "open_tree": "libc.syscall(428, 0, 0, 0)",
    "io_uring_setup": "libc.syscall(425, 0, 0)",
    "fsopen": "libc.syscall(430, 0, 0)",
    "mount_setattr": "libc.syscall(442, 0, 0, 0, 0, 0)",
    "pidfd_getfd": "libc.syscall(438, 0, 0, 0)",
}
CALLS_X86 = {
    "bpf": "libc.syscall(321, 0, 0, 0)",
    "keyctl": "libc.syscall(250, 0, 0, 0)",
    "userfaultfd": "libc.syscall(323, 0)",
    "perf_event_open": "libc.syscall(298, 0, 0, 0, 0, 0)",
    "kexec_load": "libc.syscall(246, 0, 0, 0, 0)",
    "vhangup, which stands in no list": "libc.syscall(153)",
    "pivot_root": "libc.pivot_root(b'/tmp', b'/tmp')",
    "clone into a user namespace": "libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "a call of the second set": "libc.syscall(0x40000000 + 39)",
}


@confined
def test_calls_that_ways_out_are_made_of_are_refused(small, where):
    warm, level = small(where)
    calls = CALLS | (CALLS_X86 if os.uname().machine == "x86_64" else {})
    lines = "\n".join(f"result[{name!r}] = errno({call})" for name, call in calls.items())
    program = f"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
ctypes.CDLL(None).ptrace.restype = ctypes.c_long
def errno(result):
    return ctypes.get_errno() if result < 0 else 0
result = {{}}
{lines}
tell(result)
"""
    found = warm.told(level, program)
    assert found == dict.fromkeys(calls, 1)  # EPERM


@confined
def test_a_call_of_a_later_kernel_is_as_one_that_is_not_there(small, where):
    warm, level = small(where)
    program = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
tell([libc.syscall(4000), ctypes.get_errno()])
"""
    assert warm.told(level, program) == [-1, errno.ENOSYS]


# What it may use


@confined
def test_a_fork_bomb_is_stopped(small, where):
    warm, level = small(where)
    program = """
import os, time
made = 0
while made < 3000:
    try:
        if not os.fork():
            time.sleep(60)
            os._exit(0)
        made += 1
    except BlockingIOError:
        break
tell(made)
"""
    made = warm.told(level, program, limits={"processes": 40})
    if where in NAMESPACES[:2] or where.startswith("open"):
        assert made <= 40
    else:  # the kernel counts this user's other processes as well
        assert made < 3000


@confined
def test_a_process_cannot_take_all_memory(small, where):
    warm, level = small(where)
    program = f"{TRY}\ntell(outcome(lambda: len(bytearray(600 << 20))))"
    assert warm.told(level, program, limits={"memory": 300 << 20}) == "MemoryError"


def test_processes_together_cannot_take_all_memory(small):
    warm, level = small("root FULL")
    program = """
import os, time
for number in range(4):
    if not os.fork():
        block = bytearray(b"x" * (120 << 20))
        time.sleep(300)
        os._exit(0)
tell(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    reply = warm.run(level, program, limits={"memory": 300 << 20})
    assert reply["status"] == signal.SIGKILL or reply["told"] == [-signal.SIGKILL]


@confined
def test_a_file_has_a_limit(small, where):
    warm, level = small(where)
    program = f"{TRY}\ntell(outcome(lambda: open('big', 'wb').write(bytes(9 << 20))))"
    assert warm.told(level, program, limits={"file_bytes": 8 << 20}) in {"OSError", "8388608"}


@with_namespaces
def test_files_together_have_a_limit(small, where):
    warm, level = small(where)
    program = """
import itertools
written = 0
try:
    for number in itertools.count():
        place = ("/tmp", "/dev/shm", "/submission")[number % 3]
        written += open(f"{place}/{number}", "wb", buffering=0).write(bytes(1 << 20))
except OSError as error:
    tell([written, error.errno])
"""
    written, errno = warm.told(level, program, limits={"writable_bytes": 20 << 20})
    assert written <= 20 << 20 and errno == 28
    program = """
import itertools
try:
    for number in itertools.count():
        open(f"{number}", "w").close()
except OSError as error:
    tell([number, error.errno])
"""
    made, errno = warm.told(level, program, limits={"writable_files": 500})
    assert made <= 500 and errno == 28


@confined
def test_processor_time_has_a_limit(small, where):
    warm, level = small(where)
    reply = warm.run(level, "while True: pass", limits={"cpu_seconds": 1})
    assert os.WTERMSIG(reply["status"]) == signal.SIGXCPU
    stubborn = "import signal\nsignal.signal(24, signal.SIG_IGN)\nwhile True: pass"
    reply = warm.run(level, stubborn, limits={"cpu_seconds": 1})
    assert os.WTERMSIG(reply["status"]) == signal.SIGKILL


@pytest.mark.parametrize("where", EVERY)
def test_open_files_have_a_limit(small, where):
    warm, level = small(where)
    program = "import os\ntry:\n  while True: os.dup(0)\nexcept OSError as e: tell(e.errno)"
    assert warm.told(level, program, limits={"open_files": 50}) == 24


# What stays


SURVIVOR = """
import os, signal, time
def leave(depth):
    if os.fork():
        return
    os.setsid()
    for number in (1, 2, 15):
        signal.signal(number, signal.SIG_IGN)
    if depth:
        leave(depth - 1)
    time.sleep(300)
    os._exit(0)
leave(4)
time.sleep(0.2)
tell("left")
"""


@pytest.mark.parametrize("where", EVERY)
def test_what_a_submission_started_ends_with_it(small, where):
    """Each of them holds the pipe: its end is the end of them all."""
    warm, level = small(where)
    assert warm.run(level, SURVIVOR, seconds=30)["told"] == ["left"]


@with_namespaces
def test_what_it_started_ends_when_the_supervisor_is_killed(small, where):
    warm, level = small(where)
    for number in (signal.SIGTERM, signal.SIGKILL):
        reply = warm.run(level, f"{SURVIVOR}\ntime.sleep(300)", kill_at="left", signal=number)
        assert reply["told"] == ["left"]
        assert os.WTERMSIG(reply["status"]) == signal.SIGKILL


@pytest.mark.parametrize("where", ["open KERNEL_RULES", "user KERNEL_RULES", "user NONE"])
def test_the_submission_itself_ends_when_the_supervisor_is_killed(small, where):
    warm, level = small(where)
    program = "import os, time\ntell(os.getcwd())\ntime.sleep(300)"
    for number in (signal.SIGTERM, signal.SIGKILL):
        (told,) = warm.run(level, program, kill_at="/work", signal=number)["told"]
        folder = Path(told).parent
        assert folder.name.startswith("course-")
        assert folder.exists() == (number == signal.SIGKILL)
    shutil.rmtree(folder)  # nobody was left to do it


@pytest.mark.parametrize("where", EVERY)
def test_the_caller_ends_as_the_submission_does(small, where):
    warm, level = small(where)
    assert os.waitstatus_to_exitcode(warm.run(level, "raise SystemExit(7)")["status"]) == 7
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM):
        reply = warm.run(level, f"import os\nos.kill(os.getpid(), {int(number)})")
        assert os.waitstatus_to_exitcode(reply["status"]) == -number


def test_nothing_is_left_behind(small):
    if not IS_ROOT:
        pytest.skip("needs root")
    warm, level = small("root FULL")
    supervisor = warm.run(level, "open('a', 'w').write('a')")["supervisor"]
    groups = [str(path) for path in Path("/sys/fs/cgroup").rglob("course-sandbox-*")]
    assert not [path for path in groups if path.endswith(f"-{supervisor}")]
    mounts = Path("/proc/self/mountinfo").read_text()
    assert "/submission" not in mounts


@pytest.mark.parametrize("where", ["open KERNEL_RULES", "user KERNEL_RULES", "user NONE"])
def test_a_temporary_folder_is_removed(small, where):
    warm, level = small(where)
    place = warm.told(level, "import os\ntell(os.getcwd())", work={"a/b.txt": "1"})
    assert Path(place).parent.name.startswith("course-")
    assert not Path(place).parent.exists()


@confined
def test_one_submission_leaves_nothing_for_the_next(small, where):
    warm, level = small(where)
    warm.run(
        level,
        "import os\nopen(os.environ['HOME'] + '/startup.py', 'w').write('a')\n"
        "open('note', 'w').write('a')",
    )
    program = "import os\ntell([os.listdir(os.environ['HOME']), os.listdir('.')])"
    assert warm.told(level, program) == [[], []]


# What it finds


@pytest.mark.parametrize("where", EVERY)
def test_its_extra_files_are_its_own(small, where):
    warm, level = small(where)
    program = """
import os, pathlib
here = pathlib.Path(".")
text = (here / "data" / "deep" / "a.csv").read_text()
(here / "data" / "deep" / "a.csv").write_text("more")
(here / "data" / "new").mkdir()
(here / "data" / "new" / "b").write_text("b")
(here / "data" / "new" / "b").rename(here / "b")
tell([text, os.getcwd() != "/", sorted(os.listdir("."))])
"""
    work = {"data/deep/a.csv": "1,2", "c.txt": ""}
    assert warm.told(level, program, work=work) == ["1,2", True, ["b", "c.txt", "data"]]


@pytest.mark.parametrize("where", EVERY)
def test_descriptors_are_closed_but_those_it_needs(small, where):
    warm, level = small(where)
    program = """
import os
found = {}
for number in range(100):
    try:
        found[number] = os.fstat(number).st_mode & 0o170000
    except OSError:
        pass
null = os.stat("/dev/null")
tell([list(found), [os.fstat(n).st_rdev == null.st_rdev for n in range(3)]])
"""
    numbers, are_null = warm.told(level, program)
    assert numbers[:3] == [0, 1, 2] and len(numbers) == 4  # and the pipe to tell
    assert are_null == [True] * 3


# What is refused


@pytest.mark.parametrize("name", ["/etc/cron.d/a", "../a", "a/../../b", "", "."])
def test_files_must_stay_in_the_working_folder(name):
    with pytest.raises(SandboxRefused, match="working folder"):
        confine(Level.FULL, Limits(), [], {name: b""})


@with_namespaces
def test_files_that_do_not_fit_are_refused(small, where):
    warm, level = small(where)
    reply = warm.told(
        level, "tell('ran')", work={"a": "x" * (2 << 20)}, limits={"writable_bytes": 1 << 20}
    )
    assert "No space left" in reply["refused"]


@pytest.mark.parametrize("where", ["root FULL", "root NO_CGROUPS", "user NO_CGROUPS"])
def test_a_level_that_cannot_be_had_is_refused(small, where):
    warm, level = small(where)
    reply = warm.told(level, "tell('ran')", forbid=True)
    assert "does not allow new namespaces: unshare: Operation not permitted" in reply["refused"]


def test_root_does_not_run_a_submission_as_nobody_without_its_python(small):
    warm, _ = small("root NONE")
    if closed_folder() is None:
        pytest.skip("needs a Python in a folder that only root may enter")
    refusal = warm.told("KERNEL_RULES", "tell('ran')")["refused"]
    assert "can be read by its owner only" in refusal


def test_an_ordinary_user_has_no_cgroups_of_version_1(small):
    if not Path("/sys/fs/cgroup/memory").exists():
        pytest.skip("needs control groups of version 1")
    warm, _ = small("user NONE")
    assert "control groups" in warm.told("FULL", "tell('ran')")["refused"]


# What the probe says


@pytest.mark.parametrize("kind", ["root", "open", "user"])
def test_the_probe_names_the_level(small, kind):
    warm, _ = small(f"{kind} NONE")
    probed = warm.ask(probe=True)
    reply = warm.run(probed["level"], "tell('ran')")
    assert reply["told"] == ["ran"]
    for level in Level:
        if level > Level[probed["level"]]:
            assert "refused" in warm.told(level.name, "tell('ran')")
            assert any(each.startswith(f"{level.name}: ") for each in probed["lacks"])


@pytest.mark.parametrize("kind", ["open", "user"])
def test_the_probe_where_namespaces_are_forbidden(small, kind):
    warm, _ = small(f"{kind} NONE")
    if warm.ask(probe=True)["level"] == "NONE":
        pytest.skip("needs Landlock")
    probed = warm.ask(probe_in_child=True)
    assert probed["level"] == "KERNEL_RULES"
    assert any(
        "NO_CGROUPS: This computer does not allow new namespaces" in each
        for each in probed["lacks"]
    )
    # A session bus of the same user stays in reach of that user, and of nobody else.
    assert any("session bus" in each for each in probed["lacks"])


# What must still work


def works(warm_torch: Start, where: str, program: str, **request: Any) -> Any:
    warm, level = warm_torch(where)
    reply = warm.run(level, program, **request)
    assert len(reply["told"]) == 1 and reply["status"] == 0, reply
    return reply["told"][0]


TORCH = [
    "root FULL",
    pytest.param("user KERNEL_RULES", marks=pytest.mark.more),
    pytest.param("user NO_CGROUPS", marks=pytest.mark.full),
    pytest.param("open KERNEL_RULES", marks=pytest.mark.full),
]
with_torch = pytest.mark.parametrize("where", TORCH)

LOADER = """
import torch
from torch.utils.data import DataLoader, TensorDataset
def main(context):
    data = TensorDataset(torch.arange(32.0))
    loader = DataLoader(data, batch_size=4, num_workers=2, multiprocessing_context=context)
    return sum(float(batch.sum()) for (batch,) in loader)
"""


@with_torch
def test_torch_computes_with_threads(warm_torch, where):
    program = """
import threading, torch
torch.set_num_threads(4)
a = torch.randn(400, 400, requires_grad=True)
(a @ a).sum().backward()
results = []
threads = [threading.Thread(target=lambda: results.append(float(a.grad.shape[0])))
           for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
tell(results)
"""
    assert works(warm_torch, where, program) == [400.0] * 8


@with_torch
def test_virtual_gpus_work(warm_torch, where):
    program = """
import torch
x = torch.ones(8, device="cuda:3")
model = torch.nn.Linear(8, 2).to("cuda:1")
loss = model(x.to("cuda:1")).sum()
loss.backward()
tell([torch.cuda.device_count(), str(model.weight.grad.device), float(x.sum())])
"""
    assert works(warm_torch, where, program) == [4, "cuda:1", 8.0]


@with_torch
def test_loaders_with_forked_workers(warm_torch, where):
    assert works(warm_torch, where, f"{LOADER}\ntell(main('fork'))") == 496.0


@with_torch
def test_loaders_with_spawned_workers(warm_torch, where):
    """What is spawned must be imported: from a file of the submission's own."""
    program = "import sys\nsys.path.append('')\nimport loading\ntell(loading.main('spawn'))"
    assert works(warm_torch, where, program, work={"loading.py": LOADER}, seconds=100) == 496.0


@with_torch
def test_a_program_of_its_own(warm_torch, where):
    program = """
import subprocess, sys
code = '''
import torch, course_utils, virtual_cuda
virtual_cuda.enable(2)
import os
print(torch.ones(3, device="cuda:1").sum().item(), os.getcwd())
'''
done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
tell([done.returncode, done.stdout.splitlines()[-1:], done.stderr])
"""
    code, out, err = works(warm_torch, where, program, seconds=100)
    assert (code, err) == (0, "")
    assert out[0].startswith("3.0 /")


@with_torch
def test_figures_temporary_files_and_signals(warm_torch, where):
    program = """
import os, signal, subprocess, sys, tempfile, time
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.title("α"); plt.savefig("figure.png")
with tempfile.NamedTemporaryFile() as file:
    file.write(b"a"); file.flush()
    temporary = file.name.startswith(tempfile.gettempdir())
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
os.kill(child.pid, signal.SIGTERM)
pid = os.fork()
if not pid:
    time.sleep(100)
os.kill(pid, signal.SIGKILL)
got = []
signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
os.kill(os.getpid(), signal.SIGUSR1)
tell([os.path.getsize("figure.png") > 1000, temporary, child.wait(), os.waitpid(pid, 0)[1], got,
      os.cpu_count() > 0])
"""
    assert works(warm_torch, where, program) == [True, True, -15, 9, [1], True]


@with_torch
def test_processes_semaphores_and_shared_tensors(warm_torch, where):
    module = """
import multiprocessing, torch, torch.multiprocessing
def square(x): return x * x
def fill(tensor, done): tensor.fill_(7); done.set()
def main():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        squares = pool.map(square, [1, 2, 3])
    context = torch.multiprocessing.get_context("fork")
    tensor, done = torch.zeros(4).share_memory_(), context.Event()
    child = context.Process(target=fill, args=(tensor, done))
    child.start(); done.wait(30); child.join()
    return [squares, tensor.tolist()]
"""
    program = "import sys\nsys.path.append('')\nimport many\ntell(many.main())"
    found = works(warm_torch, where, program, work={"many.py": module}, seconds=100)
    assert found == [[1, 4, 9], [7.0] * 4]


@pytest.mark.parametrize("where", ["root FULL", TORCH[2]])
def test_process_groups_over_the_loopback(warm_torch, where):
    program = """
import os, torch, torch.distributed as dist
def rank(number):
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29511")
    dist.init_process_group("gloo", rank=number, world_size=2)
    x = torch.ones(3) * (number + 1)
    dist.all_reduce(x)
    dist.destroy_process_group()
    return x.tolist()
child = os.fork()
if not child:
    rank(1)
    os._exit(0)
tell(rank(0))
os.waitpid(child, 0)
"""
    assert works(warm_torch, where, program, seconds=100) == [3.0] * 3


FOUR_RANKS = """
import os, torch, torch.distributed as dist
rank = int(os.environ["RANK"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")
x = torch.ones(3, device="cuda") * (rank + 1)
dist.all_reduce(x)
dist.destroy_process_group()
if rank == 3:
    print(x.device, torch.cuda.device_count(), x.tolist())
"""


@pytest.mark.parametrize("where", ["root FULL", TORCH[2]])
def test_a_program_of_four_ranks_that_are_forks(warm_torch, where):
    """As parts of train.py are run: with virtual GPUs, which meet over the loopback."""
    program = """
from pathlib import Path
from course_utils.experiments.fork_server import LAUNCHER
from course_utils.program.observer import environment
LAUNCHER.be_parent()
file = str(Path("ranks.py").resolve())
with LAUNCHER.start([file], environment(4), Path.cwd(), ranks=4) as process:
    tell(process.stdout.read().strip())
"""
    found = works(warm_torch, where, program, work={"ranks.py": FOUR_RANKS}, seconds=100)
    assert found == "cuda:3 4 [10.0, 10.0, 10.0]"


@with_torch
def test_a_shell_of_ipython(warm_torch, where):
    program = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
result = shell.run_cell("import os\\nx = !echo a b\\n%timeit -n1 -r1 1\\nx")
tell([result.success, list(result.result), shell.ipython_dir.startswith("/")])
"""
    assert works(warm_torch, where, program) == [True, ["a b"], True]


def test_two_at_once_do_not_meet(small):
    """Their processes are counted apart, and neither sees the other's files."""
    warm, level = small("root NO_CGROUPS")
    other = Warm(command("root", [], Path()))
    program = """
import os, time
for _ in range(30):
    if not os.fork():
        time.sleep(3)
        os._exit(0)
open("/tmp/mine-NAME", "w").close()
time.sleep(1)
tell([name for name in os.listdir("/tmp") if name.startswith("mine")])
"""
    replies = {}

    def run(name: str, judge_process: Warm) -> None:
        mine = program.replace("NAME", name)
        replies[name] = judge_process.told(level, mine, limits={"processes": 40})

    threads = [threading.Thread(target=run, args=each) for each in (("one", warm), ("two", other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.process.stdin.close()
    other.process.wait(30)
    assert replies == {"one": ["mine-one"], "two": ["mine-two"]}
