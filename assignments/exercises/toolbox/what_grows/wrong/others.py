# %% a_cause_of_its_own
# finding: other-form
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "memory leak",
        "change": "total = total + loss.item()",
    }

# %% a_copy_that_is_replaced
# finding: keeps-little
def what_grows():
    return {
        "run": 64,
        "line": 11,
        "cause": "copies",
        "change": "best = []",
    }

# %% a_graph_after_backward
# finding: other-graph
def what_grows():
    return {
        "run": 16,
        "line": 14,
        "cause": "graph",
        "change": "loss.backward(); total += loss",
    }

# %% a_line_as_text
# finding: other-form
def what_grows():
    return {"run": 2, "line": "13", "cause": "graph", "change": "total = total + loss.item()"}

# %% a_row_of_the_batch
# finding: other-latest
def what_grows():
    return {
        "run": 3,
        "line": 11,
        "cause": "keys",
        "change": 'latest["batch"] = batch[:1]',
    }

# %% a_row_of_the_weights
# finding: other-best
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best = [weight.detach()[:1].clone()]",
    }

# %% a_slip
# finding: change-raises
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + loss.items()",
    }

# %% a_tuple
# finding: other-form
def what_grows():
    return 2, 13, "graph", "total = total + loss.item()"

# %% best_in_front
# finding: other-best
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best.insert(0, weight.detach().cpu())",
    }

# %% best_is_ones
# finding: other-best
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best = [torch.ones(512, 512)]",
    }

# %% best_is_the_first
# finding: other-best
def what_grows():
    return {
        "run": 5,
        "line": 12,
        "cause": "copies",
        "change": "best = best or [weight.detach().clone()]",
    }

# %% best_is_the_weights
# finding: other-best
def what_grows():
    return {'run': 5, 'line': 12, 'cause': 'copies', 'change': 'best = weight.detach().clone()'}

# %% best_never_filled
# finding: other-best
def what_grows():
    return {'run': 5, 'line': 12, 'cause': 'copies', 'change': 'best = best[-1:]'}

# %% half_the_precision
# finding: other-latest
def what_grows():
    return {
        "run": 3,
        "line": 11,
        "cause": "keys",
        "change": 'latest["batch"] = batch.half()',
    }

# %% kept_on_another_gpu_name
# finding: other-growth
def what_grows():
    return {
        "run": 9,
        "line": 11,
        "cause": "tensors on the GPU",
        "change": "outputs.append(output.detach().clone())",
    }

# %% latest_emptied
# finding: other-latest
def what_grows():
    return {'run': 3, 'line': 11, 'cause': 'keys', 'change': 'latest = {}'}

# %% latest_is_the_batch
# finding: other-latest
def what_grows():
    return {'run': 3, 'line': 11, 'cause': 'keys', 'change': 'latest = batch'}

# %% loop_left
# finding: other-steps
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "break",
    }

# %% means_of_outputs
# finding: other-outputs
def what_grows():
    return {'run': 8, 'line': 12, 'cause': 'tensors on the GPU', 'change': 'outputs.append(output.mean().item())'}

# %% no_python
# finding: change-raises
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "use item",
    }

# %% no_such_line
# finding: other-line
def what_grows():
    return {
        "run": 5,
        "line": 99,
        "cause": "copies",
        "change": "pass",
    }

# %% only_the_latest_loss
# finding: other-total
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = loss.item()",
    }

# %% outputs_added_up
# finding: other-outputs
def what_grows():
    return {
        "run": 8,
        "line": 12,
        "cause": "tensors on the GPU",
        "change": "outputs = [sum(outputs) + output.detach()]",
    }

# %% outputs_as_numbers
# finding: other-outputs
def what_grows():
    return {
        "run": 8,
        "line": 12,
        "cause": "tensors on the GPU",
        "change": "outputs.append(output.sum().item())",
    }

# %% outputs_in_reverse
# finding: other-outputs
def what_grows():
    return {
        "run": 8,
        "line": 12,
        "cause": "tensors on the GPU",
        "change": "outputs.insert(0, output.detach().cpu())",
    }

# %% outputs_left_out
# finding: other-outputs
def what_grows():
    return {
        "run": 17,
        "line": 12,
        "cause": "tensors on the GPU",
        "change": "pass",
    }

# %% printed
# finding: nothing-returned
def what_grows():
    print({"run": 2, "line": 13, "cause": "graph", "change": "total = total + loss.item()"})

# %% run_nought
# finding: other-run
def what_grows():
    return {
        "run": 0,
        "line": 12,
        "cause": "graph",
        "change": "total = 0",
    }

# %% still_a_new_key
# finding: other-growth
def what_grows():
    return {
        "run": 3,
        "line": 11,
        "cause": "keys",
        "change": "latest[str(step)] = batch.clone()",
    }

# %% the_list_of_measurements
# finding: other-line
def what_grows():
    return {
        "run": 5,
        "line": 15,
        "cause": "copies",
        "change": "used = used",
    }

# %% total_of_whole_numbers
# finding: other-total
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + int(loss.item())",
    }

# %% total_rounded
# finding: other-total
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + round(loss.item(), 2)",
    }

# %% a_list_of_numbers
# finding: keeps-little
def what_grows():
    return {
        "run": 17,
        "line": 14,
        "cause": "graph",
        "change": "total = total + 1",
    }

# %% loss_deleted
# finding: name-dropped
def what_grows():
    return {
        "run": 2,
        "line": 13,
        "cause": "graph",
        "change": "total = total + loss; del loss",
    }
