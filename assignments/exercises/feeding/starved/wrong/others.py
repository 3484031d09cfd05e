# %% enough_workers
# finding: workers-enough
def starved():
    return {
        "run": 1,
        "line": 3,
        "cause": "too few workers",
        "change": 'workers = 8',
    }

# %% ahead_enough
# finding: prefetched-enough
def starved():
    return {
        "run": 1,
        "line": 5,
        "cause": "uneven batches",
        "change": 'prefetch_factor = 8',
    }

# %% nothing_restarted
# finding: no-restart
def starved():
    return {
        "run": 3,
        "line": 3,
        "cause": "workers restarted",
        "change": 'persistent_workers = True',
    }

# %% copy_that_does_not_wait
# finding: copy-does-not-wait
def starved():
    return {
        "run": 2,
        "line": 10,
        "cause": "blocking copy",
        "change": 'inputs = batch.to(device)',
    }

# %% nothing_read
# finding: reads-nothing
def starved():
    return {
        "run": 4,
        "line": 13,
        "cause": "read",
        "change": 'total = 0',
    }

# %% the_loop
# finding: other-line
def starved():
    return {
        "run": 4,
        "line": 8,
        "cause": "read",
        "change": 'pass',
    }

# %% no_steps
# finding: other-steps
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'break',
    }

# %% no_sum
# finding: other-result
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'pass',
    }

# %% prepare_replaced
# finding: other-prepared
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'total = total + loss; prepare(0.5)',
    }

# %% too_many_workers
# finding: change-raises
def starved():
    return {
        "run": 3,
        "line": 5,
        "cause": "too few workers",
        "change": 'workers = 64',
    }

# %% no_such_run
# finding: other-run
def starved():
    return {
        "run": 0,
        "line": 13,
        "cause": "read",
        "change": 'pass',
    }

# %% another_word
# finding: other-form
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "item",
        "change": 'pass',
    }

# %% as_it_was
# finding: line-as-it-was
def starved():
    return {
        "run": 4,
        "line": 10,
        "cause": "blocking copy",
        "change": 'inputs = batch.to(device)',
    }

# %% to_the_cpu
# finding: still-read
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'total = total + loss.cpu()',
    }

# %% printed
# finding: nothing-returned
def starved():
    print({"run": 2, "line": 13, "cause": "read"})

# %% copied_without_waiting
# finding: read-too-early
def starved():
    return {
        "run": 17,
        "line": 13,
        "cause": "read",
        "change": 'total = total + loss.to("cpu", non_blocking=True)',
    }

# %% detached
# finding: still-blocking
def starved():
    return {
        "run": 4,
        "line": 10,
        "cause": "blocking copy",
        "change": 'inputs = batch.to(device).detach()',
    }

# %% preparing
# finding: prepares-meanwhile
def starved():
    return {
        "run": 2,
        "line": 11,
        "cause": "too few workers",
        "change": 'prepare(0)',
    }

# %% still_read
# finding: still-read
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'total = total + float(loss)',
    }
