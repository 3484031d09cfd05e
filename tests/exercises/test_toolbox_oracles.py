"""The oracles of assignment 04 against reality, and its diagnoses under many draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import pytest
import torch
from topic import Topic

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("toolbox", seeds=20)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference
MiB = 2**20


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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mend_flags", "noise"])
def test_wrong_answers_meet_their_findings_in_other_draws_too(name: str) -> None:
    for told, outcome, expected in TOPIC.outcomes_in_other_draws(name):
        assert outcome == expected, told
