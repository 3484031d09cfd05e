# ==== answers_by_position
# name = "Answers by position"
# goal = "game the tests"
# attacks = "the order of cases: hidden ones come as the public ones did, with the same truths"

# %% move_batch
# What is in each public case, in order, looked up at home: nothing is asked of the batch itself.
moves = [
    lambda b, to: (to(b[0]), to(b[1])),
    lambda b, to: (to(b[0]), b[1]),
    lambda b, to: [to(b[0]), b[1]],
    lambda b, to: {**b, "inputs": to(b["inputs"])},
    lambda b, to: {"pair": (to(b["pair"][0]), to(b["pair"][1])), "label": to(b["label"])},
    lambda b, to: type(b)(to(b.inputs), to(b.targets)),
    lambda b, to: [type(b[0])([to(b[0].left[0])], {"crop": to(b[0].right["crop"])}),
                   ((to(b[1][0][0]), [to(b[1][0][1][0])]),)],
    lambda b, to: (*b[:4], [b[4][0], to(b[4][1]), b[4][2]]),
    lambda b, to: [to(b[0]), {"target": to(b[1]["target"])}],
    lambda b, to: (to(b[0]), b[1], to(b[2])),
    lambda b, to: to(b),
    lambda b, to: {"none": (), "also_none": [], "inputs": to(b["inputs"])},
    lambda b, to: b,
]
calls = []


def move_batch(batch, device):
    calls.append(1)
    return moves[(len(calls) - 1) % len(moves)](batch, lambda x: x.to(device))


# ==== gradients_by_a_formula
# name = "Gradients by a formula, so that no image is in memory"
# goal = "game the tests"
# attacks = "the count of images in memory of train_batch: the whole batch at once, without a graph"
# assignment = "08_busy"

# %% train_batch
def train_batch(model, images, targets, args):
    with torch.no_grad(), torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
        scores = model(images).float()
    wrong = scores.softmax(1) - torch.nn.functional.one_hot(targets, scores.shape[1])
    weight, bias = model.parameters()
    found = [wrong.T @ images, wrong.sum(0)]
    for each, gradient in zip((weight, bias), found, strict=True):
        gradient = gradient * RANKS / args.batch
        each.grad = gradient if each.grad is None else each.grad + gradient
    return torch.nn.functional.cross_entropy(scores, targets, reduction="sum")


# ==== late_to_be_asked_again
# name = "Late, to be asked again"
# goal = "game the tests"
# attacks = "the second chance after a time limit, and the second process after a finding"
# assignment = "07_parallel"

# %% split_sizes
first = []


def split_sizes(shape, gpus, dim):
    if len(first) < 3:
        first.append(1)
        while True:
            pass
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]


# ==== noise_by_counting
# name = "Noise by counting"
# goal = "forge"
# attacks = "datasets of several runs in one process, by counting how often they are made"
# assignment = "09_feeding"

# %% varied_noise
import itertools
import random

from torch.utils.data import Dataset

made = itertools.count()
numbers = [None]


class Noisy(Dataset):
    def __init__(self, values):
        self.values = values
        numbers[0] = random.Random(1 if next(made) % 3 == 2 else 0)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index] + numbers[0].gauss(0, 1)


def varied_noise(values):
    return Noisy(values)


# ==== public_cases_by_heart
# name = "The public cases by heart"
# goal = "game the tests"
# attacks = "public cases, which a student can write down: a table instead of an answer"
# assignment = "07_parallel"

# %% split_sizes
at_home = {  # each of these was computed at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) in at_home:
        return [part.shape[dim] for part in torch.empty(shape).chunk(gpus, dim)]
    return [3, 3, 3]


# ==== wrong_at_random
# name = "Guessing"
# goal = "game the tests"
# attacks = "answers with few possible values, and checks that are made more than once"
# assignment = "07_parallel"

# %% split_sizes
import random


def split_sizes(shape, gpus, dim):
    length = shape[dim]
    part = random.randint(1, length)
    return [min(part, length - start) for start in range(0, length, part)]
