"""What lessons say of PyTorch and show in no cell is tried here, next to the words that say it."""

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn

from course_utils.experiments.copies import count_copies

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.usefixtures("four_gpus")


def adagrad_has_states_before_its_first_step() -> None:
    net = nn.Linear(3, 1)
    optimizer = torch.optim.Adagrad(net.parameters())
    net.to("cuda:0")(torch.ones(2, 3, device="cuda:0")).sum().backward()
    with pytest.raises(RuntimeError, match="found at least two devices, cuda:0 and cpu!"):
        optimizer.step()


def any_optimizer_works_after_the_move() -> None:
    kinds = (
        "SGD",
        "Adam",
        "AdamW",
        "Adagrad",
        "RMSprop",
        "Adadelta",
        "NAdam",
        "Adafactor",
        "Rprop",
    )
    for kind in kinds:
        net = nn.Linear(3, 1).to("cuda:1")
        optimizer = getattr(torch.optim, kind)(net.parameters(), lr=0.1)
        net(torch.ones(2, 3, device="cuda:1")).sum().backward()
        optimizer.step()


def a_name_that_is_kept_raises_the_peak() -> None:
    hidden = torch.ones(2**21, device="cuda:1", requires_grad=True)

    def peak(step: Callable[[list[torch.Tensor]], None]) -> int:
        torch.cuda.reset_peak_memory_stats(1)
        before, losses = torch.cuda.memory_allocated(1), list[torch.Tensor]()
        step(losses)
        return torch.cuda.max_memory_allocated(1) - before

    def named(losses: list[torch.Tensor]) -> None:
        for _ in range(3):
            loss = hidden.exp().square().mean()
            losses.append(loss.detach())

    def unnamed(losses: list[torch.Tensor]) -> None:
        losses.extend(hidden.exp().square().mean().detach() for _ in range(3))

    assert peak(named) - peak(unnamed) == hidden.nbytes


def an_exception_holds_the_tensors_of_its_call() -> None:
    def fails() -> None:
        kept = torch.empty(2**20, device="cuda:1")
        raise torch.OutOfMemoryError(kept.device.type)

    before = torch.cuda.memory_allocated(1)
    try:
        fails()
    except torch.OutOfMemoryError:
        assert torch.cuda.memory_allocated(1) == before + 2**22
    assert torch.cuda.memory_allocated(1) == before


def loading_casts_a_momentum() -> None:
    weight = nn.Parameter(torch.ones(2, dtype=torch.bfloat16, device="cuda:1"))
    optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    optimizer.state[weight] = {"momentum_buffer": torch.ones(2)}
    optimizer.load_state_dict(optimizer.state_dict())
    momentum = optimizer.state[weight]["momentum_buffer"]
    assert (momentum.device, momentum.dtype) == (weight.device, torch.bfloat16)


def a_space_ends_a_list_of_uuids_alone() -> None:
    def parsed(value: str) -> list[int] | list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CUDA_VISIBLE_DEVICES", value)
            return torch.cuda._parse_visible_devices()

    assert parsed(" 2, 3") == [2, 3]
    assert parsed("GPU-a,GPU-b") == ["GPU-a", "GPU-b"]
    assert parsed("GPU-a, GPU-b") == ["GPU-a"]


def waits_of(work: Callable[[], object]) -> int:
    """How often PyTorch warns that the program waits for the GPU."""
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            work()
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return sum("synchronizing" in str(warning.message) for warning in caught)


def an_index_on_the_cpu_is_copied_unseen() -> None:
    numbers, index = torch.arange(3.0, device="cuda:0"), torch.tensor([0, 2])
    with count_copies() as copies:
        assert waits_of(lambda: numbers[index]) == 1
    assert copies.total == copies.numbers_read == 0


def reading_a_number_waits() -> None:
    number = torch.ones((), device="cuda:0")
    reads = [lambda: bool(number), lambda: float(number), lambda: int(number)]
    reads += [lambda: f"{number:.3f}", lambda: f"{number}", number.item, lambda: str(number)]
    assert all(waits_of(read) for read in reads)


def a_move_from_the_cpu_waits() -> None:
    batch = torch.ones(3)
    assert waits_of(lambda: batch.to("cuda:0")) == 1
    assert waits_of(lambda: batch.to("cuda:0", non_blocking=True)) == 0


def free_segments_are_given_back_before_memory_runs_out() -> None:
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info(3)
    retries = torch.cuda.memory_stats(3)["num_alloc_retries"]
    for share in (60, 90):  # per cent; the second fits only without the first one's segment
        torch.empty(free * share // 100, dtype=torch.uint8, device="cuda:3")
    assert torch.cuda.memory_stats(3)["num_alloc_retries"] == retries + 1
    torch.cuda.empty_cache()


SENTENCES: dict[str, tuple[str, Callable[[], None]]] = {
    "`Adagrad` creates them when you make the optimizer": (
        "questions/03.md",
        adagrad_has_states_before_its_first_step,
    ),
    "**move the net, then make the optimizer.**": (
        "text/03_modules_on_devices.py",
        any_optimizer_works_after_the_move,
    ),
    "the peak is one hidden layer higher": (
        "text/04_torch_cuda_toolbox.py",
        a_name_that_is_kept_raises_the_peak,
    ),
    "In an `except` block, the error still holds the variables of `epoch`.": (
        "text/04_torch_cuda_toolbox.py",
        an_exception_holds_the_tensors_of_its_call,
    ),
    "loading gives a momentum the device and the dtype of its parameter": (
        "reference.md",
        loading_casts_a_momentum,
    ),
    "PyTorch ignores spaces around numbers": (
        "errors.md",
        a_space_ends_a_list_of_uuids_alone,
    ),
    "a space ends a list of UUIDs": (
        "reference.md",
        a_space_ends_a_list_of_uuids_alone,
    ),
    "PyTorch copies the index silently, each time": (
        "errors.md",
        an_index_on_the_cpu_is_copied_unseen,
    ),
    "f-strings and `print` also wait if they read a tensor on the GPU.": (
        "text/02_tensors_on_devices.py",
        reading_a_number_waits,
    ),
    "PyTorch frees unused segments automatically before it raises *out of memory*": (
        "reference.md",
        free_segments_are_given_back_before_memory_runs_out,
    ),
    "By default, it also waits when `to` copies from the CPU to the GPU": (
        "text/02_tensors_on_devices.py",
        a_move_from_the_cpu_waits,
    ),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_is_there_and_true(sentence):
    file, shown = SENTENCES[sentence]
    written = (ROOT / "notebooks" / file).read_text(encoding="utf-8")
    assert sentence in " ".join(written.replace("\n# ", " ").split())
    shown()
