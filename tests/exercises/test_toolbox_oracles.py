"""What is right in assignment 04 against reality.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import pytest
import torch
from topic import Topic

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("toolbox", seeds=5)


def test_the_blocks_of_mend_flags_compute_what_plain_numbers_give() -> None:
    for case in TOPIC.cases("mend_flags"):
        batch, device, right = case.data["batch"], case.data["device"], case.right
        scaled = [2 * value for value in batch["values"]]
        wanted = {"move": batch["values"], "scale": scaled, "total": sum(scaled)}
        assert right is not None
        assert right["keys"] == sorted(case.data["steps"]), case.title
        for name, seen in right["results"].items():
            assert seen.get("values", seen.get("value")) == wanted[name], case.title
            assert seen.get("device", device) == device, case.title
        assert (right["current"], right["again"]) == (True, False), case.title
        assert right["inward"] == (batch["device"] != device), case.title


def test_what_the_findings_of_noise_say_of_generators_is_so() -> None:
    gpus = [torch.device("cuda", index) for index in range(4)]
    with torch.random.fork_rng(devices=range(4)):
        torch.manual_seed(3)
        draws = [torch.randn(5, device=gpu).cpu() for gpu in gpus]
        assert all(draw.equal(draws[0]) for draw in draws[1:])
        before = torch.cuda.get_rng_state_all()
        with torch.random.fork_rng(devices=[0]):
            torch.manual_seed(4)
        after = torch.cuda.get_rng_state_all()
        kept = [old.equal(new) for old, new in zip(before, after, strict=True)]
        assert kept == [True, False, False, False]
