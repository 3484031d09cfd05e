# %% batches_everywhere
# finding: copied-too-often
import copy

import torch


def fix_visible(visible, model, batches):
    gpus = [f"cuda:{index}" for index in range(4)]
    replicas = [copy.deepcopy(model).to(gpu) for gpu in gpus]
    everywhere = [[batch.to(gpu) for gpu in gpus] for batch in batches]
    with torch.no_grad():
        return [replicas[n % 4](everywhere[n][n % 4]) for n in range(len(batches))]

# %% brought_back
# finding: on-the-cpu
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[n % 4](batch.to(f"cuda:{n % 4}")).cpu() for n, batch in enumerate(batches)]

# %% by_way_of_cuda_0
# finding: copied-too-often
import copy

import torch


def fix_visible(visible, model, batches):
    first = copy.deepcopy(model).to("cuda:0")
    replicas = [first] + [copy.deepcopy(first).to(f"cuda:{n}") for n in range(1, 4)]
    with torch.no_grad():
        return [replicas[n % 4](b.cuda().to(f"cuda:{n % 4}")) for n, b in enumerate(batches)]

# %% counted_from_one
# finding: invalid-ordinal
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = {n: copy.deepcopy(model).to(f"cuda:{n}") for n in range(1, 5)}
    with torch.no_grad():
        return [replicas[n % 4 + 1](batch.to(f"cuda:{n % 4 + 1}")) for n, batch in enumerate(batches)]

# %% data_parallel
# finding: one-gpu
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = torch.nn.DataParallel(copy.deepcopy(model).to("cuda:0"))
    with torch.no_grad():
        return [replicas(batch.to("cuda:0")) for batch in batches]

# %% grouped_by_card
# finding: other-device
import copy

import torch


def fix_visible(visible, model, batches):
    scores = []
    for index in range(len(visible.split(","))):
        replica = copy.deepcopy(model).to(f"cuda:{index}")
        with torch.no_grad():
            scores += [replica(batch.to(f"cuda:{index}")) for batch in batches[index::4]]
    return scores

# %% last_group_forgotten
# finding: other-scores
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[n % 4](batch.to(f"cuda:{n % 4}"))
                for n, batch in enumerate(batches[: len(batches) // 4 * 4])]

# %% model_moved
# finding: input-changed
import copy

import torch


def fix_visible(visible, model, batches):
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", step % 4)
        with torch.no_grad():
            scores.append(model.to(gpu)(batch.to(gpu)))
    return scores

# %% model_set_to_eval
# finding: input-changed
import copy

import torch


def fix_visible(visible, model, batches):
    model.eval()
    replicas = {}
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", step % 4)
        if gpu not in replicas:
            replicas[gpu] = copy.deepcopy(model).to(gpu)
        with torch.no_grad():
            scores.append(replicas[gpu](batch.to(gpu)))
    return scores

# %% moved_and_brought_back
# finding: input-changed
import torch


def fix_visible(visible, model, batches):
    scores = [None] * len(batches)
    for n in range(4):
        gpu = torch.device("cuda", n)
        model.to(gpu)
        with torch.no_grad():
            for i in range(n, len(batches), 4):
                scores[i] = model(batches[i].to(gpu))
    model.to("cpu")
    return scores

# %% no_return
# finding: nothing-returned
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    for n, batch in enumerate(batches):
        print(replicas[n % 4](batch.to(f"cuda:{n % 4}")))

# %% numbers_that_exist
# finding: physical-number
import copy

import torch


def fix_visible(visible, model, batches):
    cards = visible.split(",")
    numbers = [int(card) for card in cards if card.isdigit()]
    if len(numbers) < 4 or max(numbers) > 3:
        numbers = [0, 1, 2, 3]
    replicas = {number: copy.deepcopy(model).to(f"cuda:{number}") for number in numbers}
    with torch.no_grad():
        return [
            replicas[numbers[n % 4]](batch.to(f"cuda:{numbers[n % 4]}"))
            for n, batch in enumerate(batches)
        ]

# %% one_copy_that_travels
# finding: copied-too-often
import copy

import torch


def fix_visible(visible, model, batches):
    replica = copy.deepcopy(model)
    with torch.no_grad():
        return [replica.to(f"cuda:{n % 4}")(batch.to(f"cuda:{n % 4}"))
                for n, batch in enumerate(batches)]

# %% one_tensor
# finding: other-form
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        scores = [replicas[n % 4](batch.to(f"cuda:{n % 4}")) for n, batch in enumerate(batches)]
    return torch.cat([score.cpu() for score in scores])

# %% only_cuda_0
# finding: one-gpu
import copy

import torch


def fix_visible(visible, model, batches):
    replica = copy.deepcopy(model).to("cuda")
    with torch.no_grad():
        return [replica(batch.to("cuda")) for batch in batches]

# %% place_in_the_sorted_list
# finding: sorted-cards
import copy

import torch


def fix_visible(visible, model, batches):
    cards = visible.split(",")
    ranks = [sorted(cards).index(card) for card in cards]
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[ranks[n % 4]](batch.to(f"cuda:{ranks[n % 4]}"))
                for n, batch in enumerate(batches)]

# %% remainder
# finding: card-number-computed
import copy

import torch


def fix_visible(visible, model, batches):
    cards = [int(entry) % 4 for entry in visible.split(",")]
    replicas = {card: copy.deepcopy(model).to(f"cuda:{card}") for card in cards}
    with torch.no_grad():
        return [replicas[cards[n % 4]](batch.to(f"cuda:{cards[n % 4]}"))
                for n, batch in enumerate(batches)]

# %% scored_on_cuda_0
# finding: computed-elsewhere
import copy

import torch


def fix_visible(visible, model, batches):
    replica = copy.deepcopy(model).to("cuda:0")
    with torch.no_grad():
        return [replica(batch.to("cuda:0")).to(f"cuda:{n % 4}") for n, batch in enumerate(batches)]

# %% scored_on_the_cpu
# finding: computed-elsewhere
import copy

import torch


def fix_visible(visible, model, batches):
    with torch.no_grad():
        return [model(batch).to(f"cuda:{n % 4}") for n, batch in enumerate(batches)]


# %% variable_set_again
# finding: variable-written
import copy
import os

import torch


def fix_visible(visible, model, batches):
    os.environ["CUDA_VISIBLE_DEVICES"] = visible
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[n % 4](batch.to(f"cuda:{n % 4}")) for n, batch in enumerate(batches)]

# %% batch_left_behind
# finding: two-devices
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[n % 4](batch) for n, batch in enumerate(batches)]

# %% uuids_not_read
# finding: name-read
import copy

import torch


def fix_visible(visible, model, batches):
    cards = [int(entry) for entry in visible.split(",")]
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index, card in enumerate(cards)]
    with torch.no_grad():
        return [replicas[n % 4](batch.to(f"cuda:{n % 4}")) for n, batch in enumerate(batches)]
