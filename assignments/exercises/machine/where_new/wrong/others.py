# %% always_on_the_gpu
# finding: default-changed
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append(f"cuda:{current}")
        else:
            devices.append(rest)
    return devices

# %% cuda_kept
# finding: no-index
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append("cuda" if current == 0 else f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices

# %% default_stack
# finding: passes-alone
def where_new(steps, stack=[0]):
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            stack[-1] = int(rest)
        elif word == "enter":
            stack.append(int(rest))
        elif word == "leave":
            stack.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{stack[-1]}")
        else:
            devices.append(rest or "cpu")
    return devices

# %% first_block_only
# finding: nesting-lost
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before[0]; before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices

# %% index_switches
# finding: index-switches
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            current = int(rest[-1]); devices.append(rest)
    return devices

# %% new_forgotten
# finding: other-number
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest:
            devices.append(rest)
    return devices

# %% no_index_at_first
# finding: no-index
def where_new(steps):
    result, current, stack = [], None, []
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
        elif step.startswith("enter"):
            stack.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = stack.pop()
        elif step == "new":
            result.append("cpu")
        elif step == "new cuda":
            result.append("cuda" if current is None else f"cuda:{current}")
        else:
            result.append(step[4:])
    return result

# %% none_for_no_tensor
# finding: none-for-empty
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices or None

# %% on_the_gpu_in_blocks
# finding: default-changed
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append(f"cuda:{current}" if before else "cpu")
        else:
            devices.append(rest)
    return devices

# %% on_the_gpu_once_set
# finding: default-changed
def where_new(steps):
    result, current, stack, touched = [], 0, [], False
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
            touched = True
        elif step.startswith("enter"):
            stack.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = stack.pop()
        elif step == "new":
            result.append(f"cuda:{current}" if touched else "cpu")
        elif step == "new cuda":
            result.append(f"cuda:{current}")
        else:
            result.append(step[4:])
    return result

# %% one_remembered
# finding: nesting-lost
def where_new(steps):
    current, before, devices = 0, 0, []
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
        elif step.startswith("enter"):
            before, current = current, int(step[-1])
        elif step == "leave":
            current = before
        elif step == "new":
            devices.append("cpu")
        elif step == "new cuda":
            devices.append(f"cuda:{current}")
        else:
            devices.append(step.split()[1])
    return devices

# %% one_string
# finding: other-form
def where_new(steps):
    current, before, devices = 0, [], []
    for step in steps:
        if step.startswith("set"):
            current = int(step[-1])
        elif step.startswith("enter"):
            before.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = before.pop()
        elif step == "new":
            devices.append("cpu")
        elif step == "new cuda":
            devices.append(f"cuda:{current}")
        else:
            devices.append(step.split()[1])
    return " ".join(devices)

# %% printed
# finding: nothing-returned
def where_new(steps):
    for step in steps:
        if step == "new":
            print("cpu")

# %% really_switched
# finding: left-switched
import torch


def where_new(steps):
    devices, blocks = [], []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            torch.cuda.set_device(int(rest))
        elif word == "enter":
            blocks.append(torch.cuda.device(int(rest)))
            blocks[-1].__enter__()
        elif word == "leave":
            blocks.pop().__exit__(None, None, None)
        else:
            devices.append(torch.ones(1, device=rest or None).device)
    return devices

# %% set_as_a_block
# finding: set-pushed
def where_new(steps):
    result, stack = [], [0]
    for step in steps:
        if step.startswith("set") or step.startswith("enter"):
            stack.append(int(step[-1]))
        elif step == "leave":
            stack.pop()
        elif step == "new":
            result.append("cpu")
        elif step == "new cuda":
            result.append(f"cuda:{stack[-1]}")
        else:
            result.append(step[4:])
    return result

# %% set_everywhere
# finding: set-survives
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest); before = [current for _ in before]
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices

# %% set_ignored_in_blocks
# finding: set-ignored
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = current if before else int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices

# %% sorted
# finding: other-devices
def where_new(steps):
    current, before, devices = 0, [], []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word in ("set", "enter"):
            if word == "enter":
                before.append(current)
            current = int(rest)
        elif word == "leave":
            current = before.pop()
        else:
            devices.append(f"cuda:{current}" if rest == "cuda" else rest or "cpu")
    return sorted(devices, reverse=True)

# %% steps_used_up
# finding: input-changed
def where_new(steps):
    current, before, devices = 0, [], []
    while steps:
        step = steps.pop(0)
        if step.startswith("set"):
            current = int(step[-1])
        elif step.startswith("enter"):
            before.append(current)
            current = int(step[-1])
        elif step == "leave":
            current = before.pop()
        elif step == "new":
            devices.append("cpu")
        elif step == "new cuda":
            devices.append(f"cuda:{current}")
        else:
            devices.append(step.split()[1])
    return devices

# %% back_to_zero
# finding: back-to-zero
def where_new(steps):
    current = 0
    before = []
    devices = []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            current = int(rest)
        elif word == "enter":
            before.append(current)
            current = int(rest)
        elif word == "leave":
            current = 0
        elif rest == "cuda":
            devices.append(f"cuda:{current}")
        elif rest == "":
            devices.append("cpu")
        else:
            devices.append(rest)
    return devices
