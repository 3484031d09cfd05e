"""Seeds and generators: one per card."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

DEVICES = ("cpu", "cuda:0", "cuda:1", "cuda:3")


def draw(seed: int) -> list[torch.Tensor]:
    torch.manual_seed(seed)
    return [torch.rand(8, device=device).cpu() for device in DEVICES]


def test_one_seed_on_every_device():
    cpu, first, second, last = draw(0)
    assert not torch.equal(cpu, first)
    assert torch.equal(first, second) and torch.equal(first, last)
    assert all(torch.equal(a, b) for a, b in zip(draw(0), draw(0), strict=True))
    assert not any(torch.equal(a, b) for a, b in zip(draw(0), draw(1), strict=True))


def test_numbers_are_uniform_and_normal():
    uniform, normal = torch.rand(20000, device="cuda"), torch.randn(20000, device="cuda")
    assert abs(uniform.mean().item() - 0.5) < 0.02 and 0 <= uniform.min() <= uniform.max() < 1
    assert abs(normal.mean().item()) < 0.05 and abs(normal.std().item() - 1) < 0.05


def test_manual_seed_is_for_the_current_card_only():
    torch.cuda.manual_seed_all(1)
    torch.cuda.manual_seed(7)
    assert torch.cuda.initial_seed() == 7
    with torch.cuda.device(1):
        assert torch.cuda.initial_seed() == 1
    torch.cuda.manual_seed_all(7)
    a, b = torch.rand(3, device="cuda:0"), torch.rand(3, device="cuda:1")
    assert torch.equal(a.cpu(), b.cpu())


def test_cpu_and_cards_do_not_disturb_each_other():
    torch.manual_seed(3)
    expected = torch.rand(3)
    torch.manual_seed(3)
    torch.rand(100, device="cuda")
    assert torch.equal(torch.rand(3), expected)


def test_seed_returns_nothing_and_changes_the_numbers():
    torch.cuda.manual_seed(0)
    a = torch.rand(4, device="cuda")
    assert torch.cuda.seed() is None and torch.cuda.seed_all() is None
    assert not torch.equal(torch.rand(4, device="cuda"), a)
    assert torch.cuda.initial_seed() != 0


def test_a_state_is_a_tensor():
    for set_state in (torch.set_rng_state, torch.cuda.set_rng_state):
        with pytest.raises(TypeError, match=r"expected a torch\.ByteTensor, but got list"):
            set_state([torch.cuda.get_rng_state()])


def test_states_come_back():
    state, states = torch.cuda.get_rng_state(1), torch.cuda.get_rng_state_all()
    assert len(states) == 4
    a = torch.randn(3, device="cuda:1")
    torch.cuda.set_rng_state(state, 1)
    assert torch.equal(a, torch.randn(3, device="cuda:1"))
    torch.cuda.set_rng_state_all(states)
    assert torch.equal(a, torch.randn(3, device="cuda:1"))
    with torch.random.fork_rng():
        torch.rand(1, device="cuda:1")
    torch.cuda.set_rng_state_all(states)
    assert torch.equal(a, torch.randn(3, device="cuda:1"))


def test_a_state_is_a_seed_and_an_offset_of_eight_bytes_each():
    """As in ATen/cuda/CUDAGeneratorImpl.cpp, so that states of real cards can be read."""
    torch.cuda.manual_seed(5)
    assert torch.cuda.get_rng_state().tolist() == [5, *[0] * 15]
    torch.rand(3, device="cuda")
    state = torch.cuda.get_rng_state().tolist()
    assert state[:8] == [5, *[0] * 7] and any(state[8:])


def test_generator_of_a_card():
    generator = torch.Generator("cuda:1")
    assert generator.device == torch.device("cuda:1")
    assert isinstance(generator, torch.Generator)
    assert torch.Generator("cuda").device == torch.device("cuda:0")
    assert torch.Generator().device.type == "cpu"
    generator.manual_seed(5)
    a = torch.randn(3, device="cuda:1", generator=generator)
    assert generator.initial_seed() == 5
    generator.manual_seed(5)
    assert torch.equal(a, torch.randn(3, device="cuda:1", generator=generator))
    twin = generator.clone_state()
    b = torch.randperm(9, device="cuda:1", generator=generator)
    assert torch.equal(b, torch.randperm(9, device="cuda:1", generator=twin))


@pytest.mark.parametrize(
    "sample",
    [
        lambda: F.dropout(torch.ones(50, device="cuda"), 0.5),
        lambda: torch.randint(0, 1000, (5,), device="cuda"),
        lambda: torch.empty(5, device="cuda").normal_(),
        lambda: torch.bernoulli(torch.full((50,), 0.5, device="cuda")),
        lambda: torch.multinomial(torch.ones(100, device="cuda"), 9),
        lambda: torch.nn.init.xavier_uniform_(torch.empty(3, 3, device="cuda")),
    ],
)
def test_operators_draw_from_their_card(sample):
    torch.manual_seed(4)
    a = sample()
    b = sample()
    torch.manual_seed(4)
    torch.rand(1000)  # the CPU's generator does not matter
    assert torch.equal(sample(), a) and not torch.equal(a, b)


def test_dropout_keeps_the_mean():
    y = F.dropout(torch.ones(20000, device="cuda:1"), 0.5)
    assert set(y.unique().tolist()) == {0.0, 2.0} and abs(y.mean().item() - 1) < 0.05


@pytest.mark.slow
def test_seed_before_first_use_and_unseeded_start(run_python):
    printed = run_python("""
        import torch
        import virtual_cuda

        def first_numbers():
            virtual_cuda.enable(2, quiet=True)
            numbers = torch.rand(3, device="cuda:1").tolist()
            virtual_cuda.disable()
            return numbers

        print(first_numbers() != first_numbers())
        torch.manual_seed(5)
        print(first_numbers() == first_numbers())
    """)
    assert printed.split() == ["True", "True"]
