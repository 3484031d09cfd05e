"""The page of errors: each message is what its code raises or warns, and the cured code runs."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils.experiments.ranks import meeting_locally
from virtual_cuda.platform.cache import HAS_CUDA_BUILD

pytestmark = [pytest.mark.slow, pytest.mark.more]

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "notebooks" / "errors.md").read_text(encoding="utf-8")
SETUP = re.search(r"^```python\n(.+?)^```$", PAGE, flags=re.M | re.S)[1]
ENTRIES = {
    title: re.findall(r"^```(?:text|python)\n(.+?)^```$", entry, flags=re.M | re.S)
    for title, entry in re.findall(r"^### (.+?)\n(.+?)(?=^##)", PAGE, flags=re.M | re.S)
}
OUTSIDE = SETUP[: SETUP.index("from course_utils")]
SETUPS = {
    "": SETUP
    + "torch.save(torch.ones(2, device=gpu0), 'on_a_gpu.pt')\n"
    + "torch.save(torch.ones(2, device=devices[3]), 'on_cuda_3.pt')\n",
    "# with one GPU": SETUP.replace("gpus=4", "gpus=1").replace("devices[1]", "None"),
    "# with unlike GPUs": OUTSIDE
    + "import virtual_cuda\n"
    + "virtual_cuda.enable(cards=['T4', 'H100'])\n",
    "# with two ranks": OUTSIDE + "import virtual_cuda\nvirtual_cuda.enable(2)\n",
    "# without a GPU": OUTSIDE,
}
RUN = """\
import json, sys, traceback, warnings
exec(json.loads(sys.stdin.readline()), globals())
for line in sys.stdin:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # From Python 3.12 on, and shown to nobody who does not ask for it.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        try:
            exec(json.loads(line), globals())
            said = "".join(f"{w.category.__name__}: {w.message}" for w in caught)
        except Exception as error:
            said = "".join(traceback.format_exception_only(error))
    print("said", json.dumps(said), flush=True)
"""


def message_of(title: str) -> str:
    """What the code says with this build of PyTorch; a second one is that of a build with CUDA."""
    messages = ENTRIES[title][:-2]
    return messages[-1 if HAS_CUDA_BUILD else 0]


SAID = re.compile(r"^said (.+)$", flags=re.M)


def of_ranks(count):
    """The environment of each rank, as torchrun makes it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    meet = meeting_locally() | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    meet["WORLD_SIZE"] = str(count)
    return [{**meet, "RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in range(count)]


def start(blocks, folder, environment):
    """A process that runs them one after the other."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", RUN],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        cwd=folder,
        env=environment,
    )
    process.stdin.write("\n".join(map(json.dumps, blocks)))
    process.stdin.close()
    return process


def where(code):
    """The comment that says on what computer it fails; "" for one with four GPUs."""
    return code.splitlines()[0] if code.startswith("# with") else ""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What each block of code raised or warned, by its text; "" if it ran."""
    folder = tmp_path_factory.mktemp("errors")
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("VIRTUAL_CUDA", "CUDA_"))
    }
    answers = {}
    for place, setup in SETUPS.items():
        blocks = [code for entry in ENTRIES.values() for code in entry[-2:] if where(code) == place]
        for few in [[block] for block in blocks] if "ranks" in place else [blocks]:
            ranks = of_ranks(2) if "ranks" in place else [{}]
            processes = [start([setup, *few], folder, environment | rank) for rank in ranks]
            for process in processes:
                errors, found = process.stderr.read(), SAID.findall(process.stdout.read())
                process.wait(600)
                assert len(found) == len(few), errors
            answers.update(zip(few, map(json.loads, found), strict=True))
    return answers


def test_every_entry_has_a_message_and_code_that_fails_and_code_that_runs():
    assert len(ENTRIES) > 40
    assert {len(blocks) for blocks in ENTRIES.values()} == {3, 4}
    assert all(where(fails) == where(cured) for *_, fails, cured in ENTRIES.values())


@pytest.mark.parametrize("title", ENTRIES)
def test_the_message_is_what_the_code_says(title, said):
    fails = ENTRIES[title][-2]
    parts = re.split(r"\s*…\s*", " ".join(message_of(title).split()))
    pattern = ".*".join(map(re.escape, parts))
    assert re.fullmatch(pattern, " ".join(said[fails].split())), said[fails]


@pytest.mark.parametrize("title", ENTRIES)
def test_the_cured_code_runs_without_a_word(title, said):
    assert said[ENTRIES[title][-1]] == ""
