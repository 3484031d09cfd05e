# %% a_bool
# finding: other-waits
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": 'decision',
        "change": 'weight = weight / (2 if bool(loss > 10) else 1)',
    }

# %% a_cause_of_its_own
# finding: other-form
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'a mask',
        "change": 'pass',
    }

# %% a_constant
# finding: other-longer
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "kept = torch.full((), 84.0, device=device)",
    }

# %% a_list
# finding: other-form
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": ["pass"],
    }

# %% a_number_made_a_tensor
# finding: other-waits
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": "size",
        "change": "kept = kept + torch.where(scores > 7, scores, torch.tensor(0.0, device=device)).sum()",
    }

# %% a_slip
# finding: change-raises
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'total = total + los',
    }

# %% a_sound_mask
# finding: queued
def find_waits():
    return {
        "run": 17,
        "line": 14,
        "cause": 'decision',
        "change": 'weight = weight',
    }

# %% a_text
# finding: other-result
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'total = f"{loss.shape}"',
    }

# %% a_tuple
# finding: other-form
def find_waits():
    return 17, 15, "size", "pass"

# %% always_halved
# finding: other-result
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": 'decision',
        "change": 'weight = weight / 2',
    }

# %% another_limit
# finding: other-result
def find_waits():
    return {
        "run": 48,
        "line": 12,
        "cause": "size",
        "change": "kept = kept + torch.where(scores > 200, scores, 0.0).sum()",
    }

# %% as_it_was
# finding: line-as-it-was
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'size',
        "change": 'kept = kept + scores[scores > 7].sum()',
    }

# %% as_tensor
# finding: other-waits
def find_waits():
    return {
        "run": 8,
        "line": 11,
        "cause": 'copy',
        "change": 'shifts = shifts + torch.as_tensor([1.0, 2.0], device=device)',
    }

# %% before_the_loop
# finding: other-line
def find_waits():
    return {
        "run": 17,
        "line": 5,
        "cause": 'copy',
        "change": 'shift = torch.arange(1.0, 3.0, device=device)',
    }

# %% blocking_pinned
# finding: other-waits
def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": 'copy',
        "change": 'shifts = shifts + shift.pin_memory().to(device)',
    }

# %% computed_by_hand
# finding: other-result
def find_waits():
    return {
        "run": 21,
        "line": 15,
        "cause": "number",
        "change": "total = total + step * 4.0",
    }

# %% counted
# finding: other-result
def find_waits():
    return {
        "run": 48,
        "line": 12,
        "cause": "size",
        "change": "kept = kept + (scores > 7).sum()",
    }

# %% decision_called_a_number
# finding: other-cause
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": 'number',
        "change": 'weight = torch.where(loss > 10, weight / 2, weight)',
    }

# %% left_out
# finding: other-result
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'pass',
    }

# %% left_without_waiting
# finding: other-places
def find_waits():
    return {
        "run": 21,
        "line": 15,
        "cause": "number",
        "change": "total = total + loss.to('cpu', non_blocking=True)",
    }

# %% line_as_text
# finding: other-form
def find_waits():
    return {
        "run": 17,
        "line": '15',
        "cause": 'size',
        "change": 'pass',
    }

# %% loop_left
# finding: other-steps
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'size',
        "change": 'break',
    }

# %% made_on_the_cpu
# finding: other-places
def find_waits():
    return {
        "run": 34,
        "line": 13,
        "cause": "copy",
        "change": "shifts = shifts + torch.tensor([1.0, 2.0])",
    }

# %% masked_select
# finding: other-waits
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'size',
        "change": 'kept = kept + scores.masked_select(scores > 7).sum()',
    }

# %% no_halving
# finding: other-result
def find_waits():
    return {
        "run": 2,
        "line": 12,
        "cause": "decision",
        "change": "pass",
    }

# %% no_python
# finding: change-raises
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'add the loss',
    }

# %% no_such_line
# finding: other-line
def find_waits():
    return {
        "run": 17,
        "line": 50,
        "cause": 'size',
        "change": 'pass',
    }

# %% nothing_kept
# finding: other-result
def find_waits():
    return {
        "run": 48,
        "line": 12,
        "cause": "size",
        "change": "pass",
    }

# %% nought_kept
# finding: other-result
def find_waits():
    return {
        "run": 48,
        "line": 12,
        "cause": "size",
        "change": "kept = kept + 0.0",
    }

# %% ones
# finding: other-result
def find_waits():
    return {
        "run": 8,
        "line": 11,
        "cause": 'copy',
        "change": 'shifts = shifts + torch.ones(2, device=device)',
    }

# %% only_the_last
# finding: other-result
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": 'number',
        "change": 'total = loss',
    }

# %% printed
# finding: nothing-returned
def find_waits():
    print({"run": 17, "line": 15, "cause": "size", "change": "pass"})

# %% run_nought
# finding: other-run
def find_waits():
    return {
        "run": 0,
        "line": 11,
        "cause": 'number',
        "change": 'total = total + loss',
    }

# %% shift_on_the_cpu
# finding: other-places
def find_waits():
    return {
        "run": 66,
        "line": 11,
        "cause": "copy",
        "change": "shifts = shifts + shift",
    }

# %% the_batch
# finding: queued
def find_waits():
    return {
        "run": 17,
        "line": 8,
        "cause": 'copy',
        "change": 'batch = torch.full((3, 4), 1.0, device=device)',
    }

# %% the_loop
# finding: other-line
def find_waits():
    return {
        "run": 17,
        "line": 7,
        "cause": 'decision',
        "change": 'for step in range(5):',
    }

# %% the_mean_again
# finding: queued
def find_waits():
    return {
        "run": 17,
        "line": 12,
        "cause": 'number',
        "change": 'total = total + loss',
    }

# %% tolist
# finding: other-waits
def find_waits():
    return {
        "run": 6,
        "line": 14,
        "cause": 'number',
        "change": 'total = total + loss.tolist()',
    }

# %% moved_with_cuda
# finding: other-waits
def find_waits():
    return {
        "run": 19,
        "line": 12,
        "cause": "copy",
        "change": "shifts = shifts + shift.cuda(device)",
    }

# %% warnings_off
# finding: warnings-off
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": "number",
        "change": 'torch.cuda.set_sync_debug_mode("default"); total = total + loss.item()',
    }

# %% without_the_mask
# finding: other-result
def find_waits():
    return {
        "run": 17,
        "line": 15,
        "cause": 'size',
        "change": 'kept = kept + scores.sum()',
    }
