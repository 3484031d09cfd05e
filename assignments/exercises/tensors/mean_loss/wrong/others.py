# %% added_up_on_the_cpu
# finding: waits-every-step
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.cpu()
    return total.item() / len(batches)

# %% as_it_was
# finding: waits-every-step
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.item()
    return total / len(batches)

# %% each_row_counts_the_same
# finding: other-result
import torch


def mean_loss(batches, weight):
    return (torch.cat(batches) @ weight).square().mean().item()

# %% from_a_number_on_the_gpu
# finding: waits-again
import torch


def mean_loss(batches, weight):
    total = torch.tensor(0.0, device=weight.device)
    for batch in batches:
        total += (batch @ weight).square().mean()
    return total.item() / len(batches)

# %% last_loss_only
# finding: other-result
def mean_loss(batches, weight):
    for batch in batches:
        loss = (batch @ weight).square().mean()
    return loss.item()

# %% not_waited_for
# finding: read-too-early
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.to("cpu", non_blocking=True)
    return total.item() / len(batches)

# %% synchronized
# finding: synchronizes
import torch


def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
        torch.cuda.synchronize()
    return total.item() / len(batches)

# %% synchronized_before_it_reads
# finding: synchronizes
import torch


def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
    if weight.is_cuda:
        torch.cuda.current_stream(weight.device).synchronize()
    return total.item() / len(batches)

# %% graph_of_each_loss
# finding: graphs-kept
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss
    return total.item() / len(batches)

# %% detached_after_the_loop
# finding: graphs-kept
import torch


def mean_loss(batches, weight):
    losses = [(batch @ weight).square().mean() for batch in batches]
    return torch.stack(losses).detach().mean().item()

# %% no_longer_learned
# finding: input-changed
def mean_loss(batches, weight):
    weight.requires_grad_(False)
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
    return total.item() / len(batches)

# %% not_waited_for_in_a_stack
# finding: read-too-early
import torch


def mean_loss(batches, weight):
    losses = []
    with torch.no_grad():
        for batch in batches:
            losses.append((batch @ weight).square().mean().to("cpu", non_blocking=True))
    return torch.stack(losses).mean().item()

# %% not_divided
# finding: sum-not-mean
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean().detach()
    return total.item()

# %% detached_on_a_line_of_its_own
# finding: graphs-kept
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        loss.detach()
        total += loss
    return total.item() / len(batches)

# %% read_twice
# finding: waits-again
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
    if total.item() == 0:
        return 0.0
    return total.item() / len(batches)
