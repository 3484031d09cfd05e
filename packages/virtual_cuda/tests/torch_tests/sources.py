"""Where torch's tests come from: a folder that is named, or Debian's source package of PyTorch.

The package is fetched by apt with a configuration of its own, from the archive that this machine's
apt knows, and unpacked into the cache: nothing of it is ever part of this repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

from virtual_cuda.platform.cache import cache_folder

VARIABLE = "TORCH_TESTS"
SUITE = "trixie"  # Debian 13: torch 2.6
CACHE = cache_folder() / "virtual_cuda" / "torch_tests"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_INSTEAD = f"name a folder instead: make torch-tests {VARIABLE}=/path/to/pytorch/test"


class NoTests(Exception):
    """torch's tests are not to be had; the message says why and what to do."""


def find() -> tuple[Path, str]:
    """The folder of torch's tests, and what they are. Raises NoTests."""
    named = os.environ.get(VARIABLE)
    if not named:
        return _from_debian()
    folder = Path(named).expanduser().resolve()
    if not (folder / "test_torch.py").is_file():
        raise NoTests(
            f"{VARIABLE}={named} is not the folder test/ of a copy of PyTorch (it has no "
            "test_torch.py): name that folder."
        )
    return folder, str(folder)


def _from_debian() -> tuple[Path, str]:
    unpacked = sorted((CACHE / "debian").glob(f"{SUITE}_*/test"))
    if not unpacked:
        unpacked = [_fetch(CACHE / "debian")]
    version = unpacked[-1].parent.name.removeprefix(f"{SUITE}_")
    return unpacked[-1], f"Debian's pytorch {version}"


def _fetch(into: Path) -> Path:
    """Download and unpack the source package."""
    if shutil.which("apt-get") is None:
        raise NoTests(f"There is no apt-get to fetch Debian's source package with; {_INSTEAD}")
    work = into / "apt"
    for folder in ("lists/partial", "cache/archives/partial", "download"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    archive = _archive()
    signed = f" [signed-by={_KEYRING}]" if _KEYRING.exists() else ""
    (work / "sources.list").write_text(f"deb-src{signed} {archive} {SUITE} main\n", "utf-8")
    options = [
        f"Dir::Etc::SourceList={work / 'sources.list'}",
        "Dir::Etc::SourceParts=/dev/null",
        f"Dir::State::Lists={work / 'lists'}",
        f"Dir::Cache={work / 'cache'}",
        "APT::Sandbox::User=",  # the cache is the user's, and apt's own user cannot read it
    ]
    _apt(["update", "--error-on=any"], options, work)
    _apt(["source", "--download-only", f"pytorch/{SUITE}"], options, work / "download")
    source = next((work / "download").glob("pytorch_*.orig.tar.xz"))
    version = source.name.removeprefix("pytorch_").removesuffix(".orig.tar.xz")
    target = into / f"{SUITE}_{version}"
    unfinished = into / f"unfinished_{version}"
    shutil.rmtree(unfinished, ignore_errors=True)
    with tarfile.open(source) as tar:
        for member in tar:
            parts = PurePosixPath(member.name).parts
            if len(parts) > 2 and parts[1] == "test":
                member.name = str(PurePosixPath(*parts[1:]))
                tar.extract(member, unfinished, filter="data")
    unfinished.rename(target)
    shutil.rmtree(work)
    return target / "test"


def _archive() -> str:
    """The address of Debian's archive in this machine's own configuration."""
    printed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(REPO_URI)"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    for line in printed.splitlines():
        origin, label, address = line.split("|", 2)
        if (origin, label) == ("Debian", "Debian"):
            return address
    raise NoTests(
        "apt knows no archive of Debian here (try `apt-get update`), and so no source package of "
        f"PyTorch; {_INSTEAD}"
    )


def _apt(command: list[str], options: list[str], folder: Path) -> None:
    given = [word for option in options for word in ("-o", option)]
    outcome = subprocess.run(
        ["apt-get", *given, *command], cwd=folder, capture_output=True, text=True, check=False
    )
    if outcome.returncode:
        words = (outcome.stderr.strip().splitlines() or ["no word why"])[-1]
        raise NoTests(f"Debian's source package of PyTorch is not to be had ({words}); {_INSTEAD}")
