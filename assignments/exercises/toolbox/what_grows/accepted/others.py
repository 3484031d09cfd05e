# %% a_total_of_numpy
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + loss.detach().cpu().numpy()",
    }

# %% copies_on_the_cpu
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best.append(weight.detach().cpu())",
    }

# %% new_keys_on_the_cpu
def what_grows():
    return {
        "run": 3,
        "line": 11,
        "cause": "keys",
        "change": "latest[str(step)] = batch.cpu()",
    }

# %% one_key
def what_grows():
    found = dict(run=3, line=11, cause="keys")
    found["change"] = "    latest = {step: batch}"
    return found

# %% one_tensor_in_a_list
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best.append(weight)",
    }

# %% a_loss_without_graph
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + loss.detach()",
    }

# %% the_latest_copy
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best[:] = [weight.detach().clone()]",
    }
