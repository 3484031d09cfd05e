"""Random numbers: seeds, states, offsets, and what generators refuse."""

from __future__ import annotations

import torch

from ..probe import in_a_thread, refuses, shows

GENERATOR = "aten/src/ATen/cuda/CUDAGeneratorImpl.cpp"
TEST = "test/test_cuda.py"
PYTHON = "torch/cuda/random.py"
LATE = 67280421310721  # c10::detail default_rng_seed_val


def draw(device="cuda", **options):
    return torch.rand(4, device=device, **options).tolist()


def seeded(seed, act):
    torch.cuda.manual_seed_all(seed)
    return act()


def offset(act):
    """By how much what ``act`` draws moves the offset on."""
    torch.cuda.manual_seed(1)
    act()
    return torch.cuda.default_generators[0].get_offset()


def state(*words):
    return torch.tensor(list(b"".join(w.to_bytes(8, "little") for w in words)), dtype=torch.uint8)


def generator(seed=1, device="cuda"):
    return torch.Generator(device).manual_seed(seed)


shows(
    "a seed repeats", f"{TEST} test_manual_seed", lambda: seeded(2, draw) == seeded(2, draw), True
)
shows(
    "other seeds give other numbers",
    f"{TEST} test_manual_seed",
    lambda: seeded(2, draw) == seeded(3, draw),
    False,
)
shows(
    "one seed gives the same on every card",
    f"{GENERATOR}: Philox knows no device",
    lambda: seeded(2, lambda: draw("cuda:0") == draw("cuda:1")),
    True,
    devices=2,
)
shows(
    "a card's numbers are not the CPU's",
    "docs/source/notes/randomness.rst",
    lambda: (torch.manual_seed(0), draw("cpu") == draw("cuda"))[1],
    False,
)
shows("initial_seed", f"{TEST} test_manual_seed", lambda: seeded(2, torch.cuda.initial_seed), 2)
shows(
    "torch.manual_seed reaches the cards",
    "docs: torch.manual_seed",
    lambda: (torch.manual_seed(7), torch.cuda.initial_seed())[1],
    7,
)
shows(
    "seed_all makes all cards equal",
    f"{PYTHON} seed_all",
    lambda: (torch.cuda.seed_all(), draw("cuda:0") == draw("cuda:1"))[1],
    True,
    devices=2,
)
shows(
    "a state has sixteen bytes",
    f"{GENERATOR} get_state",
    lambda: torch.cuda.get_rng_state().shape[0],
    16,
)
shows(
    "a state is of the CPU",
    f"{GENERATOR} get_state",
    lambda: torch.cuda.get_rng_state().device,
    "cpu",
)
shows(
    "a state is the seed and the offset",
    f"{GENERATOR} get_state",
    lambda: seeded(5, lambda: torch.cuda.get_rng_state().equal(state(5, 0))),
    True,
)
shows(
    "a state of eight bytes is a seed",
    f"{GENERATOR} set_state: no_philox_seed",
    lambda: (torch.cuda.set_rng_state(state(9)), torch.cuda.initial_seed())[1],
    9,
)
shows(
    "a new generator has the default seed",
    f"{GENERATOR} createCUDAGenerator",
    lambda: torch.Generator("cuda").initial_seed(),
    LATE,
)
shows("a kernel moves the offset by four", f"{GENERATOR} increase", lambda: offset(draw), 4)
shows(
    "nothing is drawn for nothing",
    "aten/src/ATen/native/cuda/DistributionTemplates.h: numel == 0",
    lambda: offset(lambda: torch.rand(0, device="cuda")),
    0,
)
shows(
    "randn moves the offset by four",
    "aten/src/ATen/native/cuda/DistributionTemplates.h",
    lambda: offset(lambda: torch.randn(4, device="cuda")),
    4,
)
shows(
    "dropout moves the offset by four",
    "aten/src/ATen/native/cuda/Dropout.cu",
    lambda: offset(lambda: torch.nn.functional.dropout(torch.ones(4, device="cuda"))),
    4,
)
shows("the device of a generator", "docs: torch.Generator", lambda: generator().device, "cuda:0")
shows(
    "a generator without a number is on the current card",
    "docs: torch.Generator",
    lambda: torch.Generator("cuda:1").device,
    "cuda:1",
    devices=2,
)
shows(
    "a generator of its own repeats",
    "docs: torch.Generator",
    lambda: draw(generator=generator()) == draw(generator=generator()),
    True,
)
shows(
    "and leaves the default one alone",
    "docs: torch.Generator",
    lambda: offset(lambda: draw(generator=generator())),
    0,
)
shows(
    "a clone has the same state",
    "docs: torch.Generator.clone_state",
    lambda: (lambda g: draw(generator=g.clone_state()) == draw(generator=g))(generator()),
    True,
)
shows(
    "a shared state is shared",
    f"{TEST} test_graphsafe_set_get_rng_state",
    lambda: (lambda g: (draw(generator=g.graphsafe_get_state()), g.get_offset())[1])(generator()),
    4,
)
shows(
    "seeds are the process's, not the thread's",
    f"{GENERATOR}: default_gens_cuda is global",
    lambda: (in_a_thread(lambda: torch.cuda.manual_seed(77)), torch.cuda.initial_seed())[1],
    77,
)
shows(
    "get_rng_state_all",
    "docs: torch.cuda.get_rng_state_all",
    lambda: len(torch.cuda.get_rng_state_all()) == torch.cuda.device_count(),
    True,
)
refuses(
    "an offset that is no multiple of four",
    f"{GENERATOR} set_philox_offset_per_thread",
    lambda: generator().set_offset(6),
    "offset must be a multiple of 4",
)
refuses(
    "a state of the wrong size",
    f"{GENERATOR} set_state",
    lambda: torch.cuda.set_rng_state(state(1, 2, 3)),
    "RNG state is wrong size",
)
refuses(
    "a state of the wrong type",
    "aten/src/ATen/core/Generator.h check_rng_state",
    lambda: torch.cuda.set_rng_state(torch.zeros(16)),
    "RNG state must be a torch.ByteTensor",
    "TypeError",
)
refuses(
    "a generator of the CPU",
    "aten/src/ATen/core/Generator.h check_generator",
    lambda: draw(generator=torch.Generator()),
    "Expected a 'cuda' device type for generator but found 'cpu'",
)
refuses(
    "a card's generator for the CPU",
    "aten/src/ATen/core/Generator.h check_generator",
    lambda: draw("cpu", generator=generator()),
    "Expected a 'cpu' device type for generator but found 'cuda'",
)
refuses(
    "an offset of the CPU's generator",
    "aten/src/ATen/CPUGeneratorImpl.cpp get_offset",
    lambda: torch.Generator().get_offset(),
    "CPU Generator does not use offset",
)
refuses(
    "no probabilities",
    "aten/src/ATen/native/Distributions.cpp multinomial",
    lambda: torch.multinomial(torch.ones(2, device="cuda"), 3),
    "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
)
refuses(
    "a normal of negative deviation",
    "aten/src/ATen/native/DistributionTemplates.h",
    lambda: torch.ones(1, device="cuda").normal_(0, -1),
    "normal expects std >= 0.0, but found std -1",
)
refuses(
    "a uniform from high to low",
    "aten/src/ATen/native/DistributionTemplates.h",
    lambda: torch.ones(1, device="cuda").uniform_(1, 0),
    "uniform_ expects to return a [from, to) range, but found from=1 > to=0",
)
refuses(
    "random integers without a range",
    "aten/src/ATen/native/DistributionTemplates.h",
    lambda: torch.randint(3, 3, (2,), device="cuda"),
    "random_ expects 'from' to be less than 'to'",
)
