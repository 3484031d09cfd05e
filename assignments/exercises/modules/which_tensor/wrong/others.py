# %% a_cause_of_its_own
# finding: other-form
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'weights',
        "change": 'pass',
    }

# %% a_fixed_device
# finding: change-raises
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.mean = torch.full((4,), 0.5, device="cuda")',
    }

# %% a_slip
# finding: change-raises
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0)).to(gpu)',
    }

# %% a_tuple_of_layers
# finding: change-raises
def which_tensor():
    return {
        "run": 1,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = (nn.Linear(4, 4), nn.Linear(4, 4))',
    }

# %% another_loop
# finding: other-steps
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion, range = nn.NLLLoss(weight=torch.arange(1.0, 5.0)).to(device), lambda number: [0, 7]',
    }

# %% another_momentum
# finding: other-result
def which_tensor():
    return {
        "run": 7,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight] = {"momentum_buffer": torch.eye(4, device=device)}',
    }

# %% as_it_was
# finding: line-as-it-was
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0))',
    }

# %% layers_moved_by_hand
# finding: other-moved
def which_tensor():
    return {
        "run": 1,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = [nn.Linear(4, 4).to(device) for _ in range(2)]',
    }

# %% layers_on_the_device
# finding: change-raises
def which_tensor():
    return {
        "run": 1,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = [nn.Linear(4, 4).cuda() for _ in range(2)]',
    }

# %% left_by_exit
# finding: change-raises
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'raise SystemExit',
    }

# %% loss_called_a_state
# finding: other-cause
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'state',
        "change": 'criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0)).to(device)',
    }

# %% mean_on_the_device
# finding: other-moved
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.mean = torch.full((4,), 0.5, device=device)',
    }

# %% momentum_alike_everywhere
# finding: other-result
def which_tensor():
    return {
        "run": 23,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight]["momentum_buffer"] = torch.full_like(weight, 3.0)',
    }

# %% momentum_left_out
# finding: other-result
def which_tensor():
    return {
        "run": 7,
        "line": 22,
        "cause": 'state',
        "change": 'pass',
    }

# %% momentum_of_ones
# finding: other-result
def which_tensor():
    return {
        "run": 7,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight]["momentum_buffer"] = torch.ones_like(weight)',
    }

# %% no_momentum_yet
# finding: other-result
def which_tensor():
    return {
        "run": 23,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state[weight]["momentum_buffer"] = None',
    }

# %% no_steps
# finding: other-result
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = 0.0',
    }

# %% no_such_line
# finding: other-line
def which_tensor():
    return {
        "run": 17,
        "line": 99,
        "cause": 'loss',
        "change": 'pass',
    }

# %% not_saved
# finding: other-kept
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.register_buffer("mean", torch.full((4,), 0.5), persistent=False)',
    }

# %% one_layer
# finding: other-kept
def which_tensor():
    return {
        "run": 8,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.ModuleList([nn.Linear(4, 4)])',
    }

# %% only_one_layer
# finding: change-raises
def which_tensor():
    return {
        "run": 8,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.Linear(4, 4)',
    }

# %% parameter
# finding: other-kept
def which_tensor():
    return {
        "run": 2,
        "line": 7,
        "cause": 'attribute',
        "change": 'self.mean = nn.Parameter(torch.full((4,), 0.5), requires_grad=False)',
    }

# %% printed
# finding: nothing-returned
def which_tensor():
    print({"run": 17, "line": 23, "cause": "loss", "change": "pass"})

# %% run_nought
# finding: other-run
def which_tensor():
    return {
        "run": 0,
        "line": 7,
        "cause": 'list',
        "change": 'pass',
    }

# %% run_too_large
# finding: other-run
def which_tensor():
    return {
        "run": 10000,
        "line": 7,
        "cause": 'list',
        "change": 'pass',
    }

# %% steps_from_one
# finding: other-result
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = torch.arange(1.0, 5.0, device=batch.device)',
    }

# %% steps_on_the_device
# finding: other-moved
def which_tensor():
    return {
        "run": 5,
        "line": 11,
        "cause": 'forward',
        "change": 'steps = torch.arange(4.0, device=device)',
    }

# %% the_gpu_of_the_run
# finding: change-raises
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0, device="cuda:2"))',
    }

# %% the_images
# finding: there-already
def which_tensor():
    return {
        "run": 17,
        "line": 24,
        "cause": 'forward',
        "change": 'images = images.to(device)',
    }

# %% the_labels
# finding: there-already
def which_tensor():
    return {
        "run": 17,
        "line": 25,
        "cause": 'loss',
        "change": 'labels = labels.cuda()',
    }

# %% the_move
# finding: moves-what-it-knows
def which_tensor():
    return {
        "run": 2,
        "line": 19,
        "cause": 'attribute',
        "change": 'net = Net().cuda()',
    }

# %% the_seed
# finding: other-line
def which_tensor():
    return {
        "run": 17,
        "line": 18,
        "cause": 'loss',
        "change": 'torch.cuda.manual_seed(0)',
    }

# %% the_sound_momentum
# finding: not-left-behind
def which_tensor():
    return {
        "run": 17,
        "line": 22,
        "cause": 'state',
        "change": 'pass',
    }

# %% the_step
# finding: where-it-shows
def which_tensor():
    return {
        "run": 7,
        "line": 30,
        "cause": 'state',
        "change": 'pass',
    }

# %% the_subtraction
# finding: where-it-shows
def which_tensor():
    return {
        "run": 2,
        "line": 12,
        "cause": 'attribute',
        "change": 'batch = batch - self.mean.to(batch.device) + steps',
    }

# %% two_lines
# finding: other-form
def which_tensor():
    return {
        "run": 1,
        "line": 7,
        "cause": 'list',
        "change": 'self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])\n        self.extra = 1',
    }

# %% weights_left_out
# finding: other-result
def which_tensor():
    return {
        "run": 17,
        "line": 23,
        "cause": 'loss',
        "change": 'criterion = nn.NLLLoss()',
    }

# %% states_cleared
# finding: other-result
def which_tensor():
    return {
        "run": 23,
        "line": 22,
        "cause": 'state',
        "change": 'optimizer.state.clear()',
    }

# %% the_sound_buffer
# finding: not-left-behind
def which_tensor():
    return {
        "run": 17,
        "line": 8,
        "cause": 'attribute',
        "change": 'self.register_buffer("mean", torch.full((4,), 0.5))',
    }
