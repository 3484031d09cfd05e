# %% call_blamed
# finding: call-right
def two_ranks_differ():
    return {
        "run": 1,
        "line": 19,
        "cause": "no exchange",
        "change": 'errors = model.module(batch) - wanted',
    }

# %% another_name
# finding: change-raises
def two_ranks_differ():
    return {
        "run": 17,
        "line": 19,
        "cause": "no exchange",
        "change": 'errors = ddp(batch) - wanted',
    }

# %% data_blamed
# finding: other-line
def two_ranks_differ():
    return {
        "run": 17,
        "line": 11,
        "cause": "same samples",
        "change": 'targets = 4 * inputs',
    }

# %% run_nought
# finding: other-run
def two_ranks_differ():
    return {
        "run": 0,
        "line": 19,
        "cause": "no exchange",
        "change": 'errors = model(batch) - wanted',
    }

# %% the_same_model_by_another_name
# finding: wrapper-not-called
def two_ranks_differ():
    return {
        "run": 5,
        "line": 19,
        "cause": "no exchange",
        "change": 'errors = net(batch) - wanted',
    }

# %% printed
# finding: nothing-returned
def two_ranks_differ():
    print({"run": 17, "line": 19, "cause": "no exchange"})

# %% another_cause
# finding: other-form
def two_ranks_differ():
    return {"run": 17, "line": 19, "cause": "module called", "change": "errors = model(batch) - wanted"}

# %% optimizer_blamed
# finding: line-right
def two_ranks_differ():
    return {
        "run": 17,
        "line": 15,
        "cause": "no exchange",
        "change": 'optimizer = torch.optim.SGD(model.parameters(), lr=0.5)',
    }

# %% whole_batch_on_both
# finding: other-times
def two_ranks_differ():
    return {
        "run": 6,
        "line": 17,
        "cause": "same samples",
        "change": 'mine = slice(first, first + 8)',
    }
