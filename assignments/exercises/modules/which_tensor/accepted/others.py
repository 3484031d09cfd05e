# %% moved_in_each_call
def which_tensor():
    return {
        "run": 16,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = (torch.ones(4).cumsum(0) - 1).to(batch.device)',
    }

# %% sequential
def which_tensor():
    return {
        "run": 8,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))',
    }

# %% two_statements
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'weights = torch.arange(1.0, 5.0, device=device); criterion = nn.NLLLoss(weight=weights)',
    }

# %% like_the_batch
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = torch.arange(4, dtype=batch.dtype, device=batch.device)',
    }

# %% momentum_like_the_weight
def which_tensor():
    return {
        "run": 7,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight] = {"momentum_buffer": weight.detach().clone().fill_(0.5)}',
    }

# %% weights_on_the_device
def which_tensor():
    return {
        "run": 3,
        "line": 25,
        "cause": 'loss',
        "change": 'criterion = nn.CrossEntropyLoss(weight=torch.arange(1.0, 5.0, device=device))',
    }
