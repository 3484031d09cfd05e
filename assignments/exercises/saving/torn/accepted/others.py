# %% loaded_into_a_wrapper
def torn():
    return {
        "run": 2,
        "line": 7,
        "cause": "prefix",
        "change": "nn.DataParallel(model).load_state_dict(state_dict)",
    }

# %% sizes_of_the_file
def torn():
    return {
        "run": 8,
        "line": 5,
        "cause": "size",
        "change": 'model = nn.ModuleDict({"embed": nn.Linear(4, 8), "out": nn.Linear(8, 2)})',
    }

# %% the_file_with_code_left_alone
def torn():
    return {
        "run": 6,
        "line": 4,
        "cause": "code",
        "change": 'path = folder / "epoch_8.pt"',
    }

# %% a_pointer
def torn():
    return dict(run=3, line=4, cause="text", change="path = folder.joinpath('epoch_8.pt')")

# %% to_the_cpu
def torn():
    return {
        "run": 1,
        "line": 6,
        "cause": "device",
        "change": 'state_dict = torch.load(path, map_location="cpu")',
    }
