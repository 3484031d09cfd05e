# %% added
# finding: number-and-text
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda:" + card)

# %% block_without_a_name
# finding: on-the-cpu
import torch


def load(numbers, card):
    with torch.cuda.device(card):
        return torch.tensor(numbers)

# %% card_alone
# finding: no-name-of-a-device
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=f"{card}:cuda")

# %% card_in_quotes
# finding: no-name-of-a-device
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda:card")

# %% counted_from_one
# finding: other-gpu
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=f"cuda:{card - 1}")

# %% floats
# finding: other-result
import torch


def load(numbers, card):
    return torch.tensor(numbers, dtype=torch.float32, device=f"cuda:{card}")

# %% second_card
# finding: other-gpu
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda:1")

# %% through_the_first
# finding: through-another-gpu
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda").to(f"cuda:{card}")

# %% first_card_restored
# finding: current-changed
import torch


def load(numbers, card):
    torch.cuda.set_device(card)
    tensor = torch.tensor(numbers, device="cuda")
    torch.cuda.set_device(0)
    return tensor

# %% braces_left_out
# finding: no-name-of-a-device
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=f"cuda:card")

# %% square_brackets
# finding: no-name-of-a-device
import torch


def load(numbers, card):
    return torch.tensor(numbers, device=f"cuda[{card}]")

# %% set_device
# finding: current-changed
import torch


def load(numbers, card):
    torch.cuda.set_device(card)
    return torch.tensor(numbers, device="cuda")
