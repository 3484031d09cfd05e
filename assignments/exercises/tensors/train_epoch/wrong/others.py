# %% a_tensor
# finding: not-a-number
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss) / (len(batches) * args.batch)

# %% all_images
# finding: left-over-counted
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / len(data)

# %% args_forgotten
# finding: raised-in-the-program
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% backward_again
# finding: backward-again
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss = loss + train_batch(model, images, targets, args)
        loss.backward()
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% batches_reversed
# finding: other-order
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches[::-1], device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% drawn_twice
# finding: other-order
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches_of(len(data), args.batch), device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% eval
# finding: not-in-training-mode
import torch


def train_epoch(model, data, optimizer, device, args):
    model.eval()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% first_batch_measured
# finding: other-images-counted
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * len(batches[0]))

# %% float_sum
# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = 0.0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += float(train_batch(model, images, targets, args))
        optimizer.step()
    return total(torch.tensor(loss, device=device)).item() / (len(batches) * args.batch)

# %% from_a_number_on_the_gpu
# finding: waits-besides
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.tensor(0.0, device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% in_order
# finding: other-order
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = [list(range(at, at + args.batch)) for at in range(0, len(data) - args.batch + 1, args.batch)]
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% items_and_no_total
# finding: waits-in-every-step
def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = 0.0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args).item()
        optimizer.step()
    return loss / (len(batches) * args.batch)

# %% last_batch_over_all
# finding: last-batch-only
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss = train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% list_of_items
# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    losses = []
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        losses.append(train_batch(model, images, targets, args))
        optimizer.step()
    loss = torch.tensor(sum(each.item() for each in losses), device=device)
    return total(loss).item() / (len(batches) * args.batch)

# %% loaded_for_the_cpu
# finding: other-load
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, torch.device("cpu"), args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% looked_at_for_nan
# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        if torch.isnan(loss):
            raise ValueError("the loss is no number any more")
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% moved_by_itself
# finding: part-not-used
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in load(data, batches, device, args.workers):
        images, targets = images.to(device), targets.to(device)
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% no_grad
# finding: no-gradients
import torch


def train_epoch(model, data, optimizer, device, args):
    with torch.no_grad():
        model.train()
        batches = batches_of(len(data), args.batch)
        loss = torch.zeros((), device=device)
        for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
            optimizer.zero_grad()
            loss += train_batch(model, images, targets, args)
            optimizer.step()
        return total(loss).item() / (len(batches) * args.batch)

# %% no_workers
# finding: other-load
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, 0), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% not_waited_for
# finding: read-too-early
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros(())
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args).to("cpu", non_blocking=True)
        optimizer.step()
    return total(loss.to(device)).item() / (len(batches) * args.batch)

# %% nothing
# finding: nothing-returned
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    total(loss).item() / (len(batches) * args.batch)

# %% own_count_without_total
# finding: one-process-only
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss, count = torch.zeros((), device=device), 0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        count += len(targets)
        optimizer.step()
    return loss.item() / count

# %% own_images_counted
# finding: other-images-counted
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss, count = torch.zeros((), device=device), 0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        count += len(targets)
        optimizer.step()
    return total(loss).item() / count

# %% own_loss
# finding: part-not-used
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        own = torch.nn.functional.cross_entropy(model(images), targets)
        own.backward()
        loss += own.detach()
        optimizer.step()
    return total(loss).item() / len(batches)

# %% per_batch
# finding: per-batch
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / len(batches)

# %% ranks_counted
# finding: other-images-counted
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch * RANKS)

# %% read_twice
# finding: waits-besides
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    loss = total(loss)
    if loss.isnan().item():
        raise ValueError("the loss is not a number")
    return loss.item() / (len(batches) * args.batch)

# %% returned_in_the_loop
# finding: steps-missing
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
        return total(loss).item() / (len(batches) * args.batch)

# %% smoothed
# finding: other-training
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss = 0.9 * loss + 0.1 * train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% step_after_the_loop
# finding: steps-missing
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
    optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% step_first
# finding: step-too-early
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.step()
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
    return total(loss).item() / (len(batches) * args.batch)

# %% sum
# finding: sum-not-mean
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item()

# %% sum_called_total
# finding: name-taken
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    total = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        total += train_batch(model, images, targets, args)
        optimizer.step()
    return total(total).item() / (len(batches) * args.batch)

# %% sum_on_cuda
# finding: needs-a-gpu
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device="cuda")
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% sum_on_the_cpu
# finding: left-behind
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros(())
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% synchronized
# finding: needs-a-gpu
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
        torch.cuda.synchronize(device)
    return total(loss).item() / (len(batches) * args.batch)

# %% synchronized_on_a_gpu
# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize(device)
    return total(loss).item() / (len(batches) * args.batch)

# %% to_the_cpu
# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros(())
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args).cpu()
        optimizer.step()
    return total(loss.to(device)).item() / (len(batches) * args.batch)

# %% total_assigned
# finding: name-taken
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    total = total(loss)
    return total.item() / (len(batches) * args.batch)

# %% total_of_a_float
# finding: total-of-a-number
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss.item()) / (len(batches) * args.batch)

# %% totalled_twice
# finding: total-twice
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(total(loss)).item() / (len(batches) * args.batch)

# %% zero_grad_after_the_batch
# finding: steps-missing
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        loss += train_batch(model, images, targets, args)
        optimizer.zero_grad()
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% zero_grad_before_the_loop
# finding: gradients-add-up
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    optimizer.zero_grad()
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% printed_now_and_then
# finding: waits-besides
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    ahead = batches_ahead(load(data, batches, device, args.workers), device)
    for step, (images, targets) in enumerate(ahead):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss}")
    return total(loss).item() / (len(batches) * args.batch)

# %% no_total
# finding: one-process-only
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return loss.item() / (len(batches) * args.batch)

# %% no_train
# finding: not-in-training-mode
import torch


def train_epoch(model, data, optimizer, device, args):
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)

# %% step_forgotten
# finding: steps-missing
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
    return total(loss).item() / (len(batches) * args.batch)

# %% total_in_the_loop
# finding: total-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += total(train_batch(model, images, targets, args))
        optimizer.step()
    return loss.item() / (len(batches) * args.batch)
