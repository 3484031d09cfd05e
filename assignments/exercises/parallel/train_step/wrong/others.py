# %% cleared_at_the_end
# finding: gradients-left-over
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    for replica in replicas:
        replica.zero_grad()
    return total

# %% cleared_before_the_exchange
# finding: none-there
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device)) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
        replica.zero_grad()
    for first, second in zip(replicas[0].parameters(), replicas[1].parameters()):
        gradient = first.grad + second.grad.to(first.device)
        first.data -= lr * gradient
        second.data -= lr * gradient.to(second.device)
    return total

# %% data_parallel
# finding: one-replica-only
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    a,b=replicas
    ids=[next(m.parameters()).device.index for m in replicas]
    dp=nn.DataParallel(a,ids)
    a.zero_grad()
    out=dp(batch); loss=nn.functional.mse_loss(out,targets.to(out.device)); loss.backward()
    with torch.no_grad():
        for p in a.parameters(): p-=lr*p.grad
    b.load_state_dict(a.state_dict())
    return loss.item()

# %% devices_mixed
# finding: devices-mixed
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% first_part_only
# finding: one-part-only
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss
        replica.zero_grad()
        weighted.backward()
        total += loss.item() * len(x) / len(batch)
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% first_replica_only
# finding: one-replica-without-step
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
    return total

# %% gradient_sent_in_half
# finding: rounded
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    """Make one step of SGD with two replicas, and return the loss of the whole batch."""
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2), strict=True):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas), strict=True):
            gradient = first.grad + second.grad.half().to(first.device)
            first -= lr * gradient
            second.copy_(first)
    return total

# %% list_changed
# finding: list-changed
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    replicas.reverse()
    return total

# %% loss_after_the_step
# finding: ran-more-than-once
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    devices = [next(r.parameters()).device for r in replicas]
    parts = [p.to(d) for p, d in zip(batch.chunk(2), devices)]
    goals = [t.to(d) for t, d in zip(targets.chunk(2), devices)]
    losses = []
    for replica, part, goal in zip(replicas, parts, goals):
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(part), goal)
        (loss * len(part) / len(batch)).backward()
        losses.append(loss.item() * len(part) / len(batch))
    with torch.no_grad():
        for a, b in zip(replicas[0].parameters(), replicas[1].parameters()):
            ga, gb = a.grad, b.grad
            a -= lr * (ga + gb.to(a.device))
            b -= lr * (gb + ga.to(b.device))
    with torch.no_grad():
        return sum(nn.functional.mse_loss(m(p), t).item() * len(p) / len(batch) for m, p, t in zip(replicas, parts, goals))

# %% loss_of_the_last_part
# finding: other-loss
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total = loss.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% loss_weighted_equally
# finding: loss-weighted-equally
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += loss.item() / 2
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% losses_added_up
# finding: losses-added-up
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += loss.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% losses_of_both
# finding: other-form
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total = [weighted.item(), loss.item()]
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% mean_over_samples
# finding: mean-over-samples-only
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    tot=0
    for r,x,y in zip(replicas,batch.chunk(2),targets.chunk(2)):
        d=next(r.parameters()).device
        r.zero_grad()
        l=nn.functional.mse_loss(r(x.to(d)),y.to(d), reduction="sum"); l.backward()
        tot+=l.item()
    with torch.no_grad():
        for p,q in zip(*(r.parameters() for r in replicas)):
            g=(p.grad+q.grad.to(p.device))/len(batch)
            p-=lr*g; q-=lr*g.to(q.device)
    return tot/len(batch)

# %% moved_together
# finding: replica-moved
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    replicas[1].to(next(replicas[0].parameters()).device)
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% no_return
# finding: nothing-returned
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)

# %% no_step
# finding: no-step
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
    return total

# %% one_replica
# finding: one-replica-only
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in [(replicas[0], batch, targets)]:
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% outputs_on_the_cpu
# finding: through-the-cpu
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)).cpu(), y)
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% parameters_replaced
# finding: parameters-replaced
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device)) * len(x) / len(batch)
        replica.zero_grad()
        loss.backward()
        total += loss.item()
    first, second = (dict(replica.named_parameters()) for replica in replicas)
    for name in first:
        owner, _, leaf = name.rpartition(".")
        for replica, own, other in ((replicas[0], first, second), (replicas[1], second, first)):
            step = lr * (own[name].grad + other[name].grad.to(own[name].device))
            new = nn.Parameter((own[name] - step).detach())
            setattr(replica.get_submodule(owner), leaf, new)
    return total

# %% rate_twice
# finding: replicas-differ
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * lr * gradient.to(second.device)
    return total

# %% replica_replaced_in_the_list
# finding: list-changed
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    import copy
    devices = [next(r.parameters()).device for r in replicas]
    parts = [p.to(d) for p, d in zip(batch.chunk(2), devices)]
    goals = [t.to(d) for t, d in zip(targets.chunk(2), devices)]
    losses = []
    for replica, part, goal in zip(replicas, parts, goals):
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(part), goal)
        (loss * len(part) / len(batch)).backward()
        losses.append(loss.item() * len(part) / len(batch))
    with torch.no_grad():
        for a, b in zip(replicas[0].parameters(), replicas[1].parameters()):
            ga, gb = a.grad, b.grad
            a -= lr * (ga + gb.to(a.device))
    replicas[1] = copy.deepcopy(replicas[0]).to(devices[1])
    return sum(losses)

# %% result_not_kept
# finding: no-step
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first = first - lr * gradient
            second = second - lr * gradient.to(second.device)
    return total

# %% second_rounded
# finding: rounded
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    """Make one step of SGD with two replicas, and return the loss of the whole batch."""
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2), strict=True):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas), strict=True):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second.copy_(first.half().to(second.device))
    return total

# %% split_from_below
# finding: other-parts
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.tensor_split([len(batch) // 2]), targets.tensor_split([len(batch) // 2])):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% sums_one_into_the_other
# finding: own-gradient-twice
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    devices = [next(r.parameters()).device for r in replicas]
    parts = [p.to(d) for p, d in zip(batch.chunk(2), devices)]
    goals = [t.to(d) for t, d in zip(targets.chunk(2), devices)]
    losses = []
    for replica, part, goal in zip(replicas, parts, goals):
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(part), goal)
        (loss * len(part) / len(batch)).backward()
        losses.append(loss.item() * len(part) / len(batch))
    with torch.no_grad():
        for a, b in zip(replicas[0].parameters(), replicas[1].parameters()):
            a.grad += b.grad.to(a.device)
            b.grad += a.grad.to(b.device)
            a -= lr * a.grad
            b -= lr * b.grad
    return sum(losses)

# %% through_the_cpu
# finding: through-the-cpu
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = (first.grad.cpu() + second.grad.cpu()).to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% uphill
# finding: other-step
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first += lr * gradient
            second += lr * gradient.to(second.device)
    return total

# %% weights_averaged_equally
# finding: parts-weighted-equally
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    tot=0
    for r,x,y in zip(replicas,batch.chunk(2),targets.chunk(2)):
        d=next(r.parameters()).device
        opt=torch.optim.SGD(r.parameters(),lr=lr); opt.zero_grad()
        l=nn.functional.mse_loss(r(x.to(d)),y.to(d)); l.backward(); opt.step()
        tot+=l.item()*len(x)/len(batch)
    with torch.no_grad():
        for p,q in zip(*(r.parameters() for r in replicas)):
            m=(p+q.to(p.device))/2
            p.copy_(m); q.copy_(m)
    return tot

# %% whole_batch_sent
# finding: more-than-its-part
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    main = next(replicas[0].parameters()).device
    batch, targets = batch.to(main), targets.to(main)
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss * len(x) / len(batch)
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% every_second_sample
# finding: other-samples
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, (batch[::2], batch[1::2]), (targets[::2], targets[1::2])):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device)) * len(x) / len(batch)
        replica.zero_grad()
        loss.backward()
        total += loss.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% added_up
# finding: gradients-added-up
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss
        replica.zero_grad()
        weighted.backward()
        total += loss.item() * len(x) / len(batch)
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total

# %% whole_batch_on_both
# finding: whole-batch-on-both
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, [batch, batch], [targets, targets]):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device))
        weighted = loss / 2
        replica.zero_grad()
        weighted.backward()
        total += weighted.item()
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total
