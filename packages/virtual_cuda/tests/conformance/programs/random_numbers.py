"""Random numbers: every card has a generator of its own."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ..registry import Devices, Facts, program

SEEDS = "torch/cuda/random.py; ERRATA E32 to E34"
GENERATOR = "docs: torch.Generator; aten/src/ATen/cuda/CUDAGeneratorImpl.cpp"


def draw(device: torch.device | str, count: int = 8) -> list[float]:
    return torch.rand(count, device=device).tolist()


@program({"repeats": True, "other_seed": False, "like_the_cpu": False}, source=SEEDS)
def a_seed_repeats(devices: Devices) -> Facts:
    """One seed gives the same numbers again, but not the CPU's."""
    torch.manual_seed(1)
    first, host = draw(devices[0]), draw("cpu")
    torch.manual_seed(1)
    again = draw(devices[0])
    torch.manual_seed(2)
    return {
        "repeats": again == first,
        "other_seed": draw(devices[0]) == first,
        "like_the_cpu": host == first,
    }


@program({"equal": True}, devices=2, source=SEEDS)
def one_seed_on_two_cards(devices: Devices) -> Facts:
    """``torch.manual_seed`` seeds all cards alike."""
    torch.manual_seed(1)
    return {"equal": draw(devices[0]) == draw(devices[1])}


@program({"seeds": [7, 1]}, devices=2, source="ERRATA E32")
def manual_seed_of_the_current_card(devices: Devices) -> Facts:
    """``torch.cuda.manual_seed`` seeds the current card only."""
    torch.cuda.manual_seed_all(1)
    torch.cuda.manual_seed(7)
    first = torch.cuda.initial_seed()
    with torch.cuda.device(1):
        return {"seeds": [first, torch.cuda.initial_seed()]}


@program({"equal": True, "cpu_unchanged": True}, devices=2, source=SEEDS)
def manual_seed_all(devices: Devices) -> Facts:
    """``manual_seed_all`` seeds all cards and not the CPU."""
    torch.manual_seed(3)
    expected = draw("cpu")
    torch.manual_seed(3)
    torch.cuda.manual_seed_all(9)
    return {"equal": draw(devices[0]) == draw(devices[1]), "cpu_unchanged": draw("cpu") == expected}


@program(
    {"seed": None, "seed_all": None, "torch_seed": "int", "changed": True}, source="ERRATA E33"
)
def seed_returns_nothing(devices: Devices) -> Facts:
    """``torch.cuda.seed()`` picks a seed and keeps it for itself."""
    torch.cuda.manual_seed(0)
    first, last = torch.cuda.seed(), torch.cuda.seed_all()
    return {
        "seed": first,
        "seed_all": last,
        "torch_seed": type(torch.seed()).__name__,
        "changed": torch.cuda.initial_seed() != 0,
    }


@program({"cpu_unchanged": True, "card_unchanged": True}, source=SEEDS)
def separate_streams(devices: Devices) -> Facts:
    """Drawing on one device does not disturb the other."""
    torch.manual_seed(4)
    host, card = draw("cpu"), draw(devices[0])
    torch.manual_seed(4)
    draw(devices[0], 100)
    again_host = draw("cpu")
    torch.manual_seed(4)
    draw("cpu", 100)
    return {"cpu_unchanged": again_host == host, "card_unchanged": draw(devices[0]) == card}


@program({"device": "cpu", "dtype": "torch.uint8", "bytes": 16}, source=GENERATOR)
def state_of_a_card(devices: Devices) -> Facts:
    """A card's state is 16 bytes on the CPU: seed and offset."""
    state = torch.cuda.get_rng_state(devices[0])
    return {"device": state.device, "dtype": state.dtype, "bytes": state.numel()}


@program({"restored": True, "advanced": False, "count": True}, source=SEEDS)
def states_come_back(devices: Devices) -> Facts:
    """A state can be kept and put back."""
    state = torch.cuda.get_rng_state(devices[0])
    first = draw(devices[0])
    second = draw(devices[0])
    torch.cuda.set_rng_state(state, devices[0])
    return {
        "restored": draw(devices[0]) == first,
        "advanced": first == second,
        "count": len(torch.cuda.get_rng_state_all()) == torch.cuda.device_count(),
    }


@program({"inside": False, "after": True}, source="torch.random.fork_rng docs")
def fork_rng(devices: Devices) -> Facts:
    """What is drawn inside ``fork_rng`` was never drawn."""
    torch.manual_seed(5)
    first = draw(devices[0])
    torch.manual_seed(5)
    with torch.random.fork_rng(devices=[devices[0].index]):
        draw(devices[0])
        inside = draw(devices[0]) == first
    return {"inside": inside, "after": draw(devices[0]) == first}


@program(
    {"device": "cuda:0", "seed": 5, "repeats": True, "is_generator": True, "default": "cpu"},
    source=GENERATOR,
)
def own_generator(devices: Devices) -> Facts:
    """A generator of one's own belongs to a card."""
    generator = torch.Generator(device=devices[0])
    generator.manual_seed(5)
    first = torch.rand(4, device=devices[0], generator=generator)
    generator.manual_seed(5)
    again = torch.rand(4, device=devices[0], generator=generator)
    return {
        "device": generator.device,
        "seed": generator.initial_seed(),
        "repeats": torch.equal(first, again),
        "is_generator": isinstance(generator, torch.Generator),
        "default": torch.Generator().device,
    }


@program({"device": "cuda:0"}, source=GENERATOR)
def generator_without_a_number(devices: Devices) -> Facts:
    """A generator of ``cuda`` belongs to the current card."""
    return {"device": torch.Generator(device="cuda").device}


@program({"untouched": True, "clone": True}, source=GENERATOR)
def own_generators_are_apart(devices: Devices) -> Facts:
    """It does not disturb the card's own; a clone goes on from the same point."""
    torch.manual_seed(6)
    first = draw(devices[0])
    torch.manual_seed(6)
    generator = torch.Generator(device=devices[0])
    torch.rand(10, device=devices[0], generator=generator)
    twin = generator.clone_state()
    numbers = [torch.rand(4, device=devices[0], generator=g) for g in (generator, twin)]
    return {"untouched": draw(devices[0]) == first, "clone": torch.equal(*numbers)}


SAMPLES = {
    "randn": lambda d: torch.randn(5, device=d),
    "randint": lambda d: torch.randint(1000, (5,), device=d),
    "randperm": lambda d: torch.randperm(20, device=d),
    "normal_": lambda d: torch.empty(5, device=d).normal_(),
    "uniform_": lambda d: torch.empty(5, device=d).uniform_(),
    "bernoulli": lambda d: torch.bernoulli(torch.full((50,), 0.5, device=d)),
    "dropout": lambda d: F.dropout(torch.ones(50, device=d)),
    "multinomial": lambda d: torch.multinomial(torch.ones(100, device=d), 9),
}


@program({name: [True, False, "cuda:0"] for name in SAMPLES}, source=SEEDS)
def every_sampler(devices: Devices) -> Facts:
    """All samplers draw from the card: repeatable by seed, different each time."""
    facts: Facts = {}
    for name, sample in SAMPLES.items():
        torch.manual_seed(7)
        first, second = sample(devices[0]), sample(devices[0])
        torch.manual_seed(7)
        draw("cpu", 3)
        facts[name] = [
            torch.equal(sample(devices[0]), first),
            torch.equal(first, second),
            first.device,
        ]
    return facts


@program({"range": True, "mean": True, "permutation": True, "dropout": [0.0, 2.0]}, source=SEEDS)
def distributions(devices: Devices) -> Facts:
    """The numbers have the distribution they should have."""
    uniform = torch.rand(20000, device=devices[0])
    kept = F.dropout(torch.ones(1000, device=devices[0]), 0.5)
    shuffled = torch.randperm(50, device=devices[0])
    return {
        "range": 0 <= uniform.min().item() <= uniform.max().item() < 1,
        "mean": abs(uniform.mean().item() - 0.5) < 0.02,
        "permutation": shuffled.sort().values.tolist() == list(range(50)),
        "dropout": kept.unique().tolist(),
    }


@program({"generators": True, "same": True}, source="torch/cuda/__init__.py default_generators")
def default_generators(devices: Devices) -> Facts:
    """The cards' own generators can be had."""
    torch.cuda.init()
    generators = torch.cuda.default_generators
    generators[0].manual_seed(11)
    return {
        "generators": len(generators) == torch.cuda.device_count(),
        "same": torch.cuda.initial_seed() == 11,
    }
