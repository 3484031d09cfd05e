# %% the_copy
# finding: sound-copy
def what_waits():
    return {
        "run": 17,
        "line": 9,
        "cause": "copy",
        "change": "batch = pinned.to(device)",
    }

# %% the_sum
# finding: sound-read
def what_waits():
    return {
        "run": 17,
        "line": 14,
        "cause": "read",
        "change": "total += loss.sum()",
    }

# %% the_doubling
# finding: sound-launches
def what_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": "launches",
        "change": "hidden.mul_(2)",
    }

# %% the_weight
# finding: before-the-loop
def what_waits():
    return {
        "run": 17,
        "line": 4,
        "cause": "compute",
        "change": "weight = 1",
    }

# %% the_mean
# finding: other-line
def what_waits():
    return {
        "run": 17,
        "line": 13,
        "cause": "compute",
        "change": "loss = hidden.mean()",
    }

# %% run_nought
# finding: other-run
def what_waits():
    return {
        "run": 0,
        "line": 12,
        "cause": "launches",
        "change": "hidden.mul_(2)",
    }

# %% a_slip
# finding: change-raises
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "launches",
        "change": "hidden.mull_(2)",
    }

# %% loop_left
# finding: other-images
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "launches",
        "change": "hidden.mul_(2); images -= 1",
    }

# %% tripled
# finding: other-total
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "launches",
        "change": "hidden.mul_(3)",
    }

# %% one_row
# finding: other-hidden
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "launches",
        "change": "hidden[:16] *= 2",
    }

# %% line_as_text
# finding: other-form
def what_waits():
    return {
        "run": 17,
        "line": "12",
        "cause": "launches",
        "change": "hidden.mul_(2)",
    }

# %% no_product
# finding: other-total
def what_waits():
    return {
        "run": 4,
        "line": 11,
        "cause": "compute",
        "change": "hidden = batch",
    }

# %% one_product
# finding: other-total
def what_waits():
    return {
        "run": 4,
        "line": 11,
        "cause": "compute",
        "change": "hidden = batch @ weight",
    }

# %% pinned_in_each_step
# finding: other-pinning
def what_waits():
    return {
        "run": 8,
        "line": 9,
        "cause": "copy",
        "change": "batch = store.pin_memory().to(device, non_blocking=True)",
    }

# %% one_product_left_out
# finding: other-time
def what_waits():
    return {
        "run": 1,
        "line": 11,
        "cause": "compute",
        "change": "hidden = (batch @ torch.eye(1536, device=device)) @ (weight @ weight)",
    }

# %% rows_in_another_form
# finding: other-time
def what_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": "launches",
        "change": "for row in hidden: row *= 2",
    }
