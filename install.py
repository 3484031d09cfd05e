"""Install the course into the Python that runs this, as `make` does: `python install.py -e .`

The arguments are pip's. On Linux without an NVIDIA driver, the small build of PyTorch for the CPU
(torch-cpu.txt) is installed. The environment variable TORCH overrides this: `cpu` takes that build
on any system, `pip` leaves the choice to pip. The log has pip's output; the terminal shows a line.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.request
from collections import deque
from contextlib import suppress
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent
CONSTRAINTS, CPU_BUILD = ROOT / "constraints.txt", ROOT / "torch-cpu.txt"
LOG = Path(sys.prefix) / "install.log"
DRIVER = Path("/proc/driver/nvidia")
PATIENCE = 5  # seconds for the CPU build's address to answer
LAST_LINES = 20  # of pip's output, shown if it fails


def main(arguments: list[str]) -> int:
    wish = os.environ.get("TORCH", "")
    if wish not in ("", "cpu", "pip"):
        return complain(f"TORCH={wish} is not a choice. Write TORCH=cpu, TORCH=pip, or neither.")
    LOG.unlink(missing_ok=True)
    if not has_torch():
        build, why = chosen(wish)
        print(f"  PyTorch: {why}.", flush=True)
        if build and (failed := pip("-r", str(build))):
            return failed
    return pip(*arguments)


def has_torch() -> bool:
    """Whether the version of constraints.txt is installed, in any build."""
    try:
        here = metadata.version("torch").partition("+")[0]
    except metadata.PackageNotFoundError:
        return False
    return f"torch=={here}" in CONSTRAINTS.read_text(encoding="utf-8").split()


def chosen(wish: str) -> tuple[Path | None, str]:
    """The requirements file of the CPU build, or None for pip's choice; and the reason in words."""
    other = "`make TORCH=pip …` leaves the choice to pip"
    if wish == "pip":
        return None, "the build that pip chooses, as you wish"
    if not wish and not sys.platform.startswith("linux"):
        return None, "the build that pip chooses for this system"
    if not wish and has_driver():
        return None, "the build that pip chooses, since there is an NVIDIA driver"
    if not answers(address := cpu_address()):
        return None, f"the build that pip chooses, since {address} does not answer"
    if wish:
        return CPU_BUILD, "the small build for the CPU, as you wish"
    return CPU_BUILD, f"the small build for the CPU, since there is no NVIDIA driver ({other})"


def has_driver() -> bool:
    """Whether NVIDIA's driver is loaded, or nvidia-smi works, as in WSL."""
    if DRIVER.exists():
        return True
    try:
        return subprocess.run(["nvidia-smi"], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def cpu_address() -> str:
    return re.findall(r"^--extra-index-url (\S+)", CPU_BUILD.read_text("utf-8"), re.MULTILINE)[0]


def answers(address: str) -> bool:
    """Whether the address answers in time, the look-up of its name included."""
    heard = []

    def ask() -> None:
        with suppress(Exception):  # any error means no answer
            urllib.request.urlopen(f"{address}/torch/", timeout=PATIENCE).close()
            heard.append(True)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(PATIENCE)
    return bool(heard)


def pip(*arguments: str) -> int:
    """The exit status of `pip install`, with pip's own settings."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["--progress-bar", "off", "-c", str(CONSTRAINTS), *arguments]
    last, progress = deque[str](maxlen=LAST_LINES), Progress()
    with (
        LOG.open("a", encoding="utf-8", buffering=1) as log,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            last.append(line)
            progress.show(line.strip())
    progress.end()
    if process.returncode:
        complain(f"{''.join(last)}pip could not install it. Its whole output is in {LOG}.")
    return process.returncode


class Progress:
    """pip's current line, which replaces the one before; in a log, a dot for each package."""

    dots = False

    def show(self, line: str) -> None:
        if sys.stdout.isatty():
            width = shutil.get_terminal_size().columns
            print(f"\r\033[K{line[: width - 1]}", end="", flush=True)
        elif line.startswith("Collecting "):
            print(".", end="", flush=True)
            self.dots = True

    def end(self) -> None:
        self.show("")
        if self.dots:
            print(flush=True)


def complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
