"""What is right in assignments 02 to 04 against reality: the same calls, on the CPU or on GPUs.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

from collections.abc import Mapping
from typing import Any

import pytest
import torch
from topic import Topic
from torch import nn

from course_utils.checking.exercises import exercise
from exercise_kit.corpus import load_answer
from exercise_kit.given import given

pytestmark = pytest.mark.usefixtures("four_gpus")
_cases = Topic("modules").cases


def _program(name: str) -> Any:
    """The broken program that is to be fixed."""
    (program,) = given(exercise(name))
    return load_answer(program, name.partition(".")[2], f"<{name}>")


def test_the_program_with_the_mismatch_was_right_on_the_cpu() -> None:
    run = _program("tensors.fix_mismatch")
    for case in Topic("tensors").cases("fix_mismatch", seeds=5):
        inputs = exercise("tensors.fix_mismatch").observer.prepare(case.data)
        on_cpu = [
            value.cpu() if isinstance(value, torch.Tensor) else [item.cpu() for item in value]
            for value in inputs
        ]
        assert case.right is not None
        error = case.right["result"]["values"]
        assert run(*on_cpu).item() == pytest.approx(error, rel=1e-5), case.title


@pytest.mark.slow
def test_the_program_to_be_fixed_computes_on_the_cpu_what_is_right() -> None:
    run = _program("modules.fix_module")
    for case in _cases("fix_module"):
        data, right = case.data, case.right
        batches = [
            (torch.tensor(one["batch"]), torch.tensor(one["lengths"]))
            for one in [*data["batches"], data["later"]]
        ]
        results, _ = run(batches, data["width"], "cpu")
        assert right is not None
        wanted = [*right["results"], right["later_result"]]
        assert [r.tolist() for r in results] == [r["values"] for r in wanted], case.title


TOLERANCE = 1e-4


def _trained(data: Mapping[str, Any]) -> list[torch.Tensor]:
    """The parameters after all steps, of a net that never left the CPU."""
    dtype = getattr(torch, data["dtype"])
    parameters = [nn.Parameter(torch.tensor(values, dtype=dtype)) for values in data["weights"]]
    w1, b1, w2, b2 = parameters
    groups = [{"params": [w1, b1]}, {"params": [w2, b2], "lr": 0.0625}]
    kind = getattr(torch.optim, data["optimizer"])
    optimizer = kind(groups, lr=0.125, **data["options"], foreach=False)
    x = torch.tensor(data["x"], dtype=dtype)
    for _ in range(data["steps_before"] + data["pending"] + 2):
        optimizer.zero_grad()
        output = (x @ w1.t() + b1) @ w2.t() + b2
        (output**2).mean().backward()
        optimizer.step()
    return [parameter.detach() for parameter in parameters]


@pytest.mark.slow
def test_training_leads_where_it_would_have_without_a_move() -> None:
    for case in _cases("move_optimizer", seeds=3):
        assert case.right is not None
        for seen, right in zip(case.right["trained"], _trained(case.data), strict=True):
            torch.testing.assert_close(
                torch.tensor(seen), right, rtol=TOLERANCE, atol=TOLERANCE, check_dtype=False
            )


@pytest.mark.parametrize(
    "make, x",
    [
        (lambda: nn.Linear(2, 1), torch.ones(3, 2)),
        (lambda: nn.Conv2d(1, 1, 2), torch.ones(1, 1, 4, 4)),
        (lambda: nn.BatchNorm1d(2), torch.ones(3, 2)),
    ],
    ids=["a product", "a convolution", "a norm"],
)
def test_errors_of_two_devices_are_known_by_their_words(make: Any, x: torch.Tensor) -> None:
    """What the judges take for a sign that two devices met."""
    with pytest.raises(RuntimeError) as caught:
        make().to("cuda:1")(x)
    assert exercise("modules.shape_net").module("cases").two_devices(str(caught.value))


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
