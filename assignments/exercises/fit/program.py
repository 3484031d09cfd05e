"""The program of `why_oom`, and the lines in it that differ from run to run."""

PROGRAM = """\
# run {run}: {limit} MiB of the GPU are left for you
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding({vocabulary}, {width})
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear({width}, {wide}), nn.GELU(), nn.Linear({wide}, {width}))
            for _ in range({blocks}))
        self.head = nn.Linear({width}, {vocabulary})
    def loss(self, x, targets):
        return cross_entropy(self.head(x), targets, reduction="sum")
    def forward(self, ids, targets):
        x = self.embed(ids)
        for block in self.blocks:
            {block}
        parts = zip(x.chunk(8), targets.chunk(8))
        {loss}
        return loss / len(ids)
torch.manual_seed(0)
one_of({ranks})  # this process is rank 0 of {ranks}
net = Net().cuda()
{shard}
{optimizer}
ids, held = torch.randint({vocabulary}, (2, {more})).cuda()
trained, checked = [], []
for step in range({steps}):
    loss = net(ids[:-1], ids[1:])
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    {check}
    trained.append(loss.item())
"""

SOUND = {
    "shard": (
        "for part in (*net.blocks, net): fully_shard(part)",
        "[fully_shard(part) for part in [*net.blocks, net]]",
    ),
    "block": (
        "x = x + checkpoint(block, x, use_reentrant=False)",
        "x = checkpoint(block, x, use_reentrant=False) + x",
    ),
    "loss": (
        "loss = sum(checkpoint(self.loss, *part, use_reentrant=False) for part in parts)",
        "loss = sum([checkpoint(self.loss, *each, use_reentrant=False) for each in parts])",
    ),
    "optimizer": (
        "optimizer = torch.optim.AdamW(net.parameters(), fused=True)",
        "optimizer = torch.optim.AdamW(net.parameters(), foreach=False)",
    ),
    "check": (
        "checked.append(net(held[:-1], held[1:]).item())",
        "checked += [net(held[:-1], held[1:]).detach()]",
    ),
}
FAULTY = {
    "whole states": ("parts = [*net.blocks, net]", "net.requires_grad_(True)"),
    "whole gather": ("fully_shard(net)", "for part in (net,): fully_shard(part)"),
    "activations": ("x = x + block(x)", "x = block(x) + x"),
    "logits": ("loss = self.loss(x, targets)", "loss = sum([self.loss(x, targets)])"),
    "temporaries": (
        "optimizer = torch.optim.AdamW(net.parameters())",
        "optimizer = torch.optim.AdamW([*net.parameters()], foreach=True)",
    ),
    "kept graph": (
        "checked.append(net(held[:-1], held[1:]))",
        "checked += [net(held[:-1], held[1:])]",
    ),
}
