# %% sgd
# finding: other-trained
def why_oom():
    return {"run": 2, "line": 28, "cause": "temporaries", "change": 'optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)'}

# %% nothing_checked
# finding: other-checked
def why_oom():
    return {"run": 9, "line": 36, "cause": "kept graph", "change": 'pass'}

# %% the_blocks
# finding: block-right
def why_oom():
    return {"run": 3, "line": 20, "cause": "activations", "change": 'x = checkpoint(block, x, use_reentrant=False) + x'}

# %% the_loss
# finding: loss-right
def why_oom():
    return {"run": 1, "line": 22, "cause": "logits", "change": 'loss = self.loss(x, targets)'}

# %% the_optimizer
# finding: optimizer-right
def why_oom():
    return {"run": 1, "line": 28, "cause": "temporaries", "change": 'optimizer = torch.optim.AdamW(net.parameters(), fused=True)'}

# %% the_groups
# finding: shard-right
def why_oom():
    return {"run": 2, "line": 27, "cause": "whole gather", "change": 'fully_shard(net)'}

# %% the_checks
# finding: check-right
def why_oom():
    return {"run": 3, "line": 36, "cause": "kept graph", "change": 'pass'}

# %% misspelt
# finding: change-raises
def why_oom():
    return {"run": 1, "line": 20, "cause": "activations", "change": 'x = x + checkpoints(block, x)'}

# %% an_import
# finding: other-line
def why_oom():
    return {"run": 1, "line": 2, "cause": "activations", "change": 'import torch, os'}

# %% no_such_line
# finding: other-line
def why_oom():
    return {"run": 1, "line": 99, "cause": "activations", "change": 'pass'}

# %% run_nought
# finding: other-run
def why_oom():
    return {"run": 0, "line": 20, "cause": "activations", "change": 'pass'}

# %% a_cause_of_its_own
# finding: other-form
def why_oom():
    return {"run": 1, "line": 20, "cause": "batch", "change": 'pass'}

# %% printed
# finding: nothing-returned
def why_oom():
    print({"run": 1, "line": 20, "cause": "activations", "change": 'pass'})

# %% as_it_was
# finding: line-as-it-was
def why_oom():
    return {"run": 1, "line": 20, "cause": "activations", "change": 'x = x + block(x)'}

# %% the_outputs
# finding: line-made
def why_oom():
    return {"run": 11, "line": 16, "cause": "logits", "change": 'return cross_entropy(self.head(x), targets)'}

# %% blocks_of_a_kept_graph
# finding: block-right
def why_oom():
    return {"run": 24, "line": 20, "cause": "activations", "change": 'x = x + checkpoint(block, x)'}

# %% parts_without_checkpoint
# finding: parts-kept
def why_oom():
    return {"run": 28, "line": 22, "cause": "logits", "change": 'loss = sum(self.loss(*part) for part in parts)'}

# %% blocks_detached
# finding: other-trained
def why_oom():
    return {"run": 1, "line": 20, "cause": "activations", "change": 'x = x + block(x).detach()'}

# %% graph_on_the_cpu
# finding: other-fits
def why_oom():
    return {"run": 9, "line": 36, "cause": "kept graph", "change": 'checked.append(net(held[:-1], held[1:]).cpu())'}
