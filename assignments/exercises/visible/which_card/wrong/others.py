# %% not_exported
# finding: change-raises
def which_card():
    return {
        "run": 22,
        "line": 3,
        "cause": "list ended",
        "change": 'CUDA_VISIBLE_DEVICES=2,1,0',
    }

# %% a_harmless_question
# finding: asks-only
def which_card():
    return {
        "run": 14,
        "line": 6,
        "cause": "read too early",
        "change": 'pass',
    }

# %% a_default
# finding: default-unused
def which_card():
    return {
        "run": 14,
        "line": 7,
        "cause": "read too early",
        "change": 'pass',
    }

# %% in_time
# finding: set-in-time
def which_card():
    return {
        "run": 17,
        "line": 7,
        "cause": "read too early",
        "change": 'pass',
    }

# %% list_of_line_3
# finding: list-right
def which_card():
    return {
        "run": 14,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES=2',
    }

# %% order_as_it_should_be
# finding: order-right
def which_card():
    return {
        "run": 14,
        "line": 2,
        "cause": "order",
        "change": 'unset CUDA_DEVICE_ORDER',
    }

# %% where_it_is_used
# finding: used-there
def which_card():
    return {
        "run": 14,
        "line": 9,
        "cause": "place",
        "change": 'x = torch.ones(1)',
    }

# %% imports
# finding: other-line
def which_card():
    return {
        "run": 14,
        "line": 99,
        "cause": "place",
        "change": 'import torch, os',
    }

# %% run_nought
# finding: other-run
def which_card():
    return {
        "run": 0,
        "line": 8,
        "cause": "place",
        "change": 'pass',
    }

# %% a_uuid_as_cause
# finding: other-form
def which_card():
    return {"run": 17, "line": 8, "cause": "GPU-d7f4dfed", "change": "pass"}

# %% a_tuple
# finding: other-form
def which_card():
    return 17, 8, "place", 'device = torch.device("cuda:1")'

# %% printed
# finding: nothing-returned
def which_card():
    print({"run": 17, "line": 8, "cause": "place"})

# %% as_it_was
# finding: line-as-it-was
def which_card():
    return {"run": 14, "line": 8, "cause": "place", "change": 'device = torch.device("cuda:2")'}

# %% spaces_around_the_sign
# finding: change-raises
def which_card():
    return {
        "run": 22,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES = 2,1,0',
    }

# %% a_space_in_the_list
# finding: change-raises
def which_card():
    return {
        "run": 22,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES=2, 1, 0',
    }

# %% a_quote_that_is_left_open
# finding: change-raises
def which_card():
    return {
        "run": 22,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES="2,1,0',
    }

# %% a_bracket_that_is_left_open
# finding: change-raises
def which_card():
    return {
        "run": 17,
        "line": 8,
        "cause": "place",
        "change": 'device = torch.device("cuda:1"',
    }

# %% an_unknown_name
# finding: change-raises
def which_card():
    return {
        "run": 17,
        "line": 8,
        "cause": "place",
        "change": 'device = cuda(1)',
    }

# %% entry_kept
# finding: other-card
def which_card():
    return {
        "run": 22,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES=2,GPU2,1',
    }

# %% still_asks
# finding: other-card
def which_card():
    return {
        "run": 3,
        "line": 6,
        "cause": "read too early",
        "change": 'print(torch.cuda.is_available())',
    }

# %% the_index_of_a_right_list
# finding: place-right
def which_card():
    return {
        "run": 1,
        "line": 8,
        "cause": "place",
        "change": 'device = torch.device("cuda:1")',
    }
