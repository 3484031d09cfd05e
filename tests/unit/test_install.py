"""install.py, which `make` calls: which build of PyTorch it takes, what it says, and what it keeps.

A copy of it, with an index of packages on this machine: no pip setting of this machine counts.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from course_utils.manifest import repository_root

ROOT = repository_root()
PLAIN, CPU = "2.13.0", "2.13.0+cpu"

pytestmark = [pytest.mark.slow, pytest.mark.more]


def wheel(folder: Path, name: str, version: str) -> None:
    """A package of nothing but its name and version, in a folder that pip reads as an index."""
    about = f"{name}-{version}.dist-info"
    path = folder / name / f"{name}-{version}-py3-none-any.whl"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        file.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        file.writestr(f"{about}/RECORD", "")


class Index(SimpleHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of the indices in `folder`, and what they are asked for."""
    handler = type("Asked", (Index,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
        server.shutdown()


@contextlib.contextmanager
def silence() -> Iterator[str]:
    """An address that takes a call and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


class Machine:
    """A machine of its own: its Python, its pip settings, and whether it has a driver."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder, self.python = folder, python
        self.bin = folder / "bin"
        self.bin.mkdir()
        wheel(folder / "everybodys", "torch", PLAIN)
        wheel(folder / "cpu", "torch", CPU)
        wheel(folder / "own", "toy", "1.0")  # nowhere but in an index that the user has added
        shutil.copy(ROOT / "torch-cpu.txt", folder)
        (folder / "constraints.txt").write_text(f"torch=={PLAIN}\ntoy==1.0\n")

    def add_driver(self) -> None:
        (self.bin / "nvidia-smi").write_text("#!/bin/sh\nexit 0\n")
        (self.bin / "nvidia-smi").chmod(0o755)

    def install(
        self,
        address: str,
        cpu: str,
        *packages: str,
        patience: int = 600,
        terminal: int = subprocess.PIPE,
        **variables: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run install.py, with the indices at `address` and the CPU build's at `cpu`."""
        program = (ROOT / "install.py").read_text("utf-8")
        program = program.replace("PATIENCE = 5", f"PATIENCE = {patience}")
        program = program.replace('"/proc/driver/nvidia"', '"/nowhere"')
        (self.folder / "install.py").write_text(program)
        requirements = self.folder / "torch-cpu.txt"
        requirements.write_text(re.sub(r"https?://\S+", cpu, requirements.read_text("utf-8")))
        settings = self.folder / "pip.conf"
        settings.write_text(
            f"[global]\nindex-url = {address}/everybodys\nextra-index-url = {address}/own\n"
            f"find-links = {self.folder / 'bin'}\n"
        )
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and k != "TORCH"}
        ours = {"PIP_CONFIG_FILE": str(settings), "PATH": str(self.bin), "no_proxy": "127.0.0.1"}
        return subprocess.run(
            [self.python, self.folder / "install.py", *(packages or ("toy",))],
            env=kept | ours | variables,
            stdout=terminal,
            stderr=subprocess.PIPE,
            text=True,
        )

    def versions(self) -> dict[str, str]:
        told = subprocess.run(
            [self.python, "-m", "pip", "freeze"], capture_output=True, text=True, check=True
        )
        return dict(line.split("==") for line in told.stdout.split())


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin" / "python"


@pytest.fixture
def machine(tmp_path, python) -> Iterator[Machine]:
    yield Machine(tmp_path, python)
    remove = [python, "-m", "pip", "uninstall", "--quiet", "--yes", "torch", "toy"]
    subprocess.run(remove, check=True, capture_output=True)


def test_without_a_driver_torch_is_the_small_build_and_pips_settings_stay(machine, tmp_path):
    with serving(tmp_path) as (address, asked):
        done = machine.install(address, f"{address}/cpu")
        assert done.returncode == 0, done.stderr
        assert machine.versions() == {"torch": CPU, "toy": "1.0"}
        assert "the small build for the CPU, since there is no NVIDIA driver" in done.stdout
        assert any(path.startswith("/everybodys/torch") for path in asked)  # beside, not instead
        asked.clear()
        again = machine.install(address, f"{address}/cpu")
        assert again.returncode == 0 and "PyTorch" not in again.stdout
        assert asked == []  # all is here


@pytest.mark.parametrize(
    ("driver", "wish", "version", "said"),
    [
        (True, "", PLAIN, "the build that pip chooses, since there is an NVIDIA driver"),
        (True, "cpu", CPU, "the small build for the CPU, as you wish"),
        (False, "pip", PLAIN, "the build that pip chooses, as you wish"),
    ],
)
def test_a_driver_and_a_wish_decide(machine, tmp_path, driver, wish, version, said):
    if driver:
        machine.add_driver()
    with serving(tmp_path) as (address, asked):
        done = machine.install(address, f"{address}/cpu", "torch", "toy", TORCH=wish)
        assert done.returncode == 0, done.stderr
        assert machine.versions() == {"torch": version, "toy": "1.0"}
        assert said in done.stdout
        assert any(path.startswith("/cpu") for path in asked) == (version == CPU)


def test_an_address_that_never_answers_leaves_the_choice_to_pip(machine, tmp_path):
    with serving(tmp_path) as (address, _), silence() as nobody:
        done = machine.install(address, nobody, "torch", patience=1)
    assert done.returncode == 0, done.stderr
    assert machine.versions() == {"torch": PLAIN}
    assert f"the build that pip chooses, since {nobody} does not answer" in done.stdout


def test_where_pip_fails_its_last_lines_are_shown_and_the_log_has_all(machine, tmp_path):
    with serving(tmp_path) as (address, _):
        done = machine.install(address, f"{address}/cpu", "no-such-package")
    log = machine.python.parents[1] / "install.log"
    assert done.returncode != 0
    assert "No matching distribution found for no-such-package" in done.stderr
    assert str(log) in done.stderr.splitlines()[-1]
    assert f"torch-{CPU}" in log.read_text() and "no-such-package" in log.read_text()


def test_a_wish_that_is_none_is_said(machine):
    done = machine.install("http://127.0.0.1:9", "http://127.0.0.1:9", TORCH="cuda")
    assert done.returncode == 1 and "Write TORCH=cpu, TORCH=pip, or neither" in done.stderr


def test_on_a_terminal_pip_is_one_line_that_is_written_anew(machine, tmp_path):
    screen, terminal = os.openpty()
    with serving(tmp_path) as (address, _):
        done = machine.install(address, f"{address}/cpu", terminal=terminal)
    os.close(terminal)
    shown = os.read(screen, 1 << 16).decode()
    os.close(screen)
    assert done.returncode == 0, done.stderr
    assert shown.startswith("  PyTorch: ") and shown.count("\n") == 1
    assert "\r\033[KCollecting toy" in shown and shown.endswith("\r\033[K")


def test_what_pip_says_stays_in_its_log(machine, tmp_path):
    with serving(tmp_path) as (address, _):
        done = machine.install(address, f"{address}/cpu")
    assert done.returncode == 0, done.stderr
    said, *dots = done.stdout.splitlines()
    assert said.startswith("  PyTorch: ") and "".join(dots) == ".."  # a dot for a package
    assert "Successfully installed toy" in (machine.python.parents[1] / "install.log").read_text()
