"""The wheel in an environment that sees torch and not the course, and the README as it is written.

The environment is empty but for the wheel; torch and pytest lie on its path, and what is installed
beside them in editable form (this course) is not found that way.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

# each of its programs imports torch, and some compile the helper
pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(1800)]

PROJECT = Path(__file__).parents[1]
BUILDS = ("--no-build-isolation", "--no-deps", "--no-cache-dir", "--quiet")


@dataclass
class Environment:
    """An environment with the wheel, and a folder to run programs in."""

    programs: Path  # python and virtual_cuda
    folder: Path

    def run(self, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a reader of the README would; stderr comes with stdout."""
        words = shlex.split(line)
        if words[0] == "pytest":  # its command belongs to another environment
            words = ["python", "-m", *words]
        clean = {
            name: text
            for name, text in os.environ.items()
            if not name.startswith(("PYTEST_", "PYTHON", "VIRTUAL_CUDA"))
        }
        command = [str(self.programs / words[0]), *words[1:]]
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**clean, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # since building leaves its traces beside the source
    shutil.copytree(PROJECT, source, ignore=shutil.ignore_patterns("*.egg-info", "build"))
    pip = [sys.executable, "-m", "pip", "wheel", *BUILDS, "-w", str(folder), str(source)]
    subprocess.run(pip, check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The environment that runs the tests, in which the package is editable."""
    return Environment(Path(sys.executable).parent, tmp_path_factory.mktemp("programs"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, with_pip=False)
    programs = root / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--quiet", str(wheel)], check=True)
    ask = [str(programs / "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    site = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    (site / "torch_is_there.pth").write_text(f"{Path(torch.__file__).parents[1]}\n")
    environment = Environment(programs, tmp_path_factory.mktemp("programs"))
    where = environment.run("python -c 'import virtual_cuda; print(virtual_cuda.__file__)'")
    assert where.stdout.startswith(str(site))
    assert environment.run("python -c 'import course_utils'").returncode == 1
    return environment


@pytest.mark.full
def test_what_is_in_it(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        str(file.relative_to(PROJECT / "src"))
        for file in (PROJECT / "src").rglob("*")
        if file.suffix in (".py", ".cpp")
    }
    assert {name for name in names if ".dist-info/" not in name} == sources


@pytest.mark.full
def test_a_script_on_the_last_card(installed):
    (installed.folder / "last.py").write_text(
        "import torch\nprint((torch.arange(3.0, device='cuda:3') * 2).cpu().tolist())\n"
    )
    assert "0.0, 2.0, 4.0" not in installed.run("python last.py").stdout
    assert installed.run("python last.py", VIRTUAL_CUDA="4").stdout == "[0.0, 2.0, 4.0]\n"
    done = installed.run("virtual_cuda run --quiet last.py")
    assert (done.returncode, done.stdout) == (0, "[0.0, 2.0, 4.0]\n")


@pytest.mark.parametrize("where", ["here", pytest.param("installed", marks=pytest.mark.full)])
def test_unasked_nothing_of_it_is_imported(where, request):
    environment = request.getfixturevalue(where)
    show = "import sys; print(sorted(n for n in sys.modules if n.startswith('virtual')))"
    done = environment.run(shlex.join(["python", "-c", f"import torch; {show}"]))
    tool = "virtual_cuda_tool"
    assert done.stdout == f"{[tool, f'{tool}.startup']}\n"
    show = f"import sys, {tool}.pytest_plugin, {tool}.command_line; print('torch' in sys.modules)"
    assert environment.run(shlex.join(["python", "-c", show])).stdout == "False\n"


EXAMPLES = ("Test your multi-GPU code in CI", "Find the missing `.to`", "Count copies and memory")


@pytest.mark.parametrize(
    ("where", "helper"),
    [
        ("here", "off"),
        *(pytest.param("installed", helper, marks=pytest.mark.full) for helper in ("on", "off")),
    ],
)
@pytest.mark.parametrize("title", EXAMPLES)
def test_the_readme(where, title, helper, request):
    environment = request.getfixturevalue(where)
    text = (PROJECT / "README.md").read_text()
    section = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
    assert section is not None
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", section[1], re.DOTALL | re.MULTILINE)
    assert [kind for kind, _ in blocks] == ["python", "console"]
    program, session = (block for _, block in blocks)
    (environment.folder / program.splitlines()[0].removeprefix("# ")).write_text(program)
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE):
        printed = environment.run(command, VIRTUAL_CUDA_HELPER=helper).stdout
        assert re.fullmatch(_pattern(expected), printed), printed


def _pattern(expected: str) -> str:
    """What is written, with any seconds, and with any lines for a line of three dots.

    From a minute on pytest says both: `in 72.31s (0:01:12)`.
    """
    pattern = re.escape(expected).replace(re.escape("...") + "\\\n", "(?:.*\\n)*?")
    return re.sub(r"\d+\\\.\d+s", r"[\\d.]+s(?: \\([\\d:]+\\))?", pattern)
