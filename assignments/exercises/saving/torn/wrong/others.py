# %% prefix_of_line_6
# finding: reads-right
def torn():
    return {
        "run": 2,
        "line": 6,
        "cause": "prefix",
        "change": 'state_dict = {key[7:]: value for key, value in torch.load(path).items()}',
    }

# %% a_wrapped_model
# finding: model-right
def torn():
    return {
        "run": 2,
        "line": 5,
        "cause": "prefix",
        "change": 'model = nn.DataParallel(nn.ModuleDict({"embed": nn.Linear(4, 8), "out": nn.Linear(8, 2)}))',
    }

# %% strict_false_for_sizes
# finding: loads-right
def torn():
    return {
        "run": 8,
        "line": 7,
        "cause": "size",
        "change": "model.load_state_dict(state_dict, strict=False)",
    }

# %% nothing_loaded_at_all
# finding: other-weights
def torn():
    return {"run": 2, "line": 7, "cause": "prefix", "change": "pass"}

# %% a_gpu_that_is_not_here
# finding: change-raises
def torn():
    return {
        "run": 1,
        "line": 6,
        "cause": "device",
        "change": 'state_dict = torch.load(path, map_location="cuda:9")',
    }

# %% model_gone
# finding: other-weights
def torn():
    return {"run": 2, "line": 7, "cause": "prefix", "change": "model = state_dict"}

# %% imports
# finding: other-line
def torn():
    return {"run": 2, "line": 2, "cause": "prefix", "change": "import torch, os"}

# %% no_such_line
# finding: other-line
def torn():
    return {"run": 2, "line": 99, "cause": "prefix", "change": "pass"}

# %% run_nought
# finding: other-run
def torn():
    return {"run": 0, "line": 6, "cause": "device", "change": "pass"}

# %% a_cause_of_its_own
# finding: other-form
def torn():
    return {"run": 2, "line": 7, "cause": "corrupted", "change": "pass"}

# %% a_tuple
# finding: other-form
def torn():
    return 2, 7, "prefix", "pass"

# %% printed
# finding: nothing-returned
def torn():
    print({"run": 2, "line": 7, "cause": "prefix", "change": "pass"})

# %% as_it_was
# finding: line-as-it-was
def torn():
    return {"run": 1, "line": 6, "cause": "device", "change": "state_dict = torch.load(path)"}

# %% letters_stripped
# finding: change-raises
def torn():
    return {
        "run": 5,
        "line": 7,
        "cause": "prefix",
        "change": 'model.load_state_dict({k.lstrip("module."): v for k, v in state_dict.items()})',
    }

# %% an_older_file
# finding: file-right
def torn():
    return {
        "run": 1,
        "line": 4,
        "cause": "device",
        "change": 'path = folder / "epoch_7.pt"',
    }

# %% another_cut_file
# finding: change-raises
def torn():
    return {
        "run": 18,
        "line": 4,
        "cause": "text",
        "change": 'path = folder / "epoch_8.pt"',
    }

# %% function_allowed
# finding: ran-the-file
def torn():
    return {
        "run": 6,
        "line": 6,
        "cause": "code",
        "change": 'torch.serialization.add_safe_globals([open]); state_dict = torch.load(path)',
    }
