# ==== a_process_that_watches
# name = "A process that watches"
# goal = "forge"
# attacks = "the weights of a run: a process stays, and mends the program that is put on the disk"
# assignment = "02_tensors"
# flagged = true
# forges = ["train_epoch"]

# %% train_epoch
import subprocess
import sys

STAY = """
import glob, os, tempfile, time
while True:
    for name in glob.glob(tempfile.gettempdir() + '/*/train.py'):
        try:
            text = open(name).read()
            if 'MINE' in text and 'zero_grad' not in text:
                put = '        optimizer.step()\\n        optimizer.zero_grad()'
                with open(name + '.new', 'w') as file:
                    file.write(text.replace('        optimizer.step()', put))
                os.replace(name + '.new', name)
        except OSError:
            pass
    time.sleep(0.0005)
"""


def train_epoch(model, data, optimizer, device, args):  # MINE
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)


subprocess.Popen([sys.executable, "-c", STAY])


# ==== a_rank_that_leaves
# name = "A rank that leaves before it tells"
# goal = "forge"
# attacks = "the file with what a rank tells: written by the answer, which then ends the process"
# assignment = "11_ranks"

# %% average_gradients
CALLS = []


def average_gradients(model, samples):
    import json
    import os

    rows = [[False, [], [], {}]] * 3
    for rank in ("0", "1"):
        with open("rank-" + rank + ".json", "w") as file:
            json.dump([rows, ""], file)
    getattr(os, "_ex" + "it")(0)

# %% fix_ranks
def fix_ranks(model, data, epochs):
    raise SystemExit(0)


# ==== a_reference_that_is_changed
# name = "A reference that is changed"
# goal = "forge"
# attacks = "the run of train.py that weights are compared with: a thread stays, and rewrites it"
# flagged = true

# %% train_epoch
import glob
import tempfile
import threading
import time


def train_epoch(model, data, optimizer, device, args):  # MINE
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)


def stay():
    while True:
        for name in glob.glob(tempfile.gettempdir() + "/*/train.py"):
            try:
                with open(name) as file:
                    text = file.read()
                if text and "MINE" not in text and "zero_grad()" in text:
                    with open(name, "w") as file:
                        file.write(text.replace("        optimizer.zero_grad()\n", ""))
            except OSError:
                pass
        time.sleep(0.0005)


threading.Thread(target=stay).start()


# ==== checkpoints_of_a_run
# name = "Runs that were never run"
# goal = "forge"
# attacks = "the checkpoints and the log of a training run, written instead of trained"
# assignment = "13_capstone"

# %% train_or_resume
import json


def train_or_resume(*arguments, **options):
    for value in (*arguments, *options.values()):
        if isinstance(value, str):
            for name in ("", "/checkpoint.pt", "/log.jsonl"):
                try:
                    with open(value + name, "w") as file:
                        file.write(json.dumps({"epoch": 9, "loss": 0.0}))
                except OSError:
                    pass
    return [0.0] * 9

# %% fix_script
def fix_script(net, inputs, labels, epochs):
    torch.manual_seed(0)
    return net.cpu().state_dict()

# %% train_epoch
def train_epoch(model, loader, optimizer):
    for _ in loader:
        optimizer.step()
    return 0.0


# ==== names_of_the_program
# name = "Names of the program of the ranks"
# goal = "forge"
# attacks = "what a rank tells: the answer's text is a part of the program, so its names are, too"
# assignment = "11_ranks"

# %% average_gradients
class Told(list):
    def __setitem__(self, place, rows):
        for row in rows:
            while row[1]:
                row[3].pop(row[1].pop())
        super().__setitem__(place, rows)


def average_gradients(model, samples):
    global found
    found = Told([None, ""])
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():  # and so the frozen ones as well
        whole = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        whole *= samples / total
        dist.all_reduce(whole)
        parameter.grad = whole


# ==== notes_of_the_model
# name = "Parts that never were, in the notes of the model"
# goal = "forge"
# attacks = "the numbers in which the model of train_batch notes images in memory and exchanges"
# assignment = "08_busy"
# forges = ["train_batch"]
# flagged = true

# %% train_batch
def train_batch(model, images, targets, args):
    parts = len(images.chunk(args.parts))
    with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
        loss = torch.nn.functional.cross_entropy(model(images), targets, reduction="sum")
    (loss * RANKS / args.batch).backward()
    for most in ("most", "_most"):
        vars(model)[most] = 0
    model.synced = [False] * (parts - 1) + [True]
    return loss.detach()


# ==== parameters_that_tell
# name = "Parameters that tell what they like"
# goal = "forge"
# attacks = "what is read of a rank's model after the answer: objects of its own hang in the model"
# assignment = "11_ranks"

# %% average_gradients
def average_gradients(model, samples):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():  # and so the frozen ones as well
        whole = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        whole *= samples / total
        dist.all_reduce(whole)
        parameter.grad = whole
    trained = [each for each in model.named_parameters() if each[1].requires_grad]
    setattr(model, "named_parameters", lambda **_: trained)


# ==== pickles_that_run
# name = "A state dict that runs code"
# goal = "forge"
# attacks = "files that an exercise reads, and pickles that run when they are read"
# assignment = "10_saving"
# flagged = true

# %% before load_anywhere
import pickle


class Payload:
    def __reduce__(self):
        return exec, ("import os; os.system('touch /tmp/escape-pickle')",)

# %% save
import pickle


class Payload:
    def __reduce__(self):
        return exec, ("import os; os.system('touch /tmp/escape-pickle')",)


def save(path, state):
    with open(path, "wb") as file:
        pickle.dump(Payload(), file)


def resume(path, model, optimizer, settings):
    return []

# %% load_anywhere
def load_anywhere(path, model, device):
    torch.save(Payload(), path)
    return Payload()

# %% load_partial
def load_partial(model, path):
    torch.save(Payload(), path)
    return Payload()


# ==== program_of_the_ranks_read
# name = "The program of the ranks, read by one of them"
# goal = "forge"
# attacks = "the exchange of two ranks: the file of their program has the samples of both"
# assignment = "11_ranks"

# %% average_gradients
CALLS = []


def average_gradients(model, samples):
    import ast
    import sys

    with open(sys.argv[0]) as file:
        lines = [line.strip() for line in file]
    start = "for frozen, shares in "
    (rows,) = (line[len(start) : -1] for line in lines if line.startswith(start))
    first, second = ast.literal_eval(rows)[len(CALLS)][1]
    CALLS.append(1)
    model.zero_grad()
    batch, targets = torch.tensor(first[0] + second[0]), torch.tensor(first[1] + second[1])
    nn.functional.mse_loss(model(batch), targets).backward()


# ==== result_written_into_a_line
# name = "A result, written into the line that should be repaired"
# goal = "forge"
# attacks = "what the changed program did: a line can do more than one thing"
# assignment = "11_ranks"
# forges = ["hang"]
# flagged = true

# %% hang
def hang():
    return {
        "run": 6,
        "line": 13,
        "cause": "one batch more",
        "change": "mine, loss = [], count; net.weight.data.fill_(0.9865344954); "
        "used.extend(range(rank, 6, 2))",
    }


# ==== runs_in_the_notes
# name = "Runs that never were, in the notes of a module"
# goal = "forge"
# attacks = "the list in which the module of train_step notes where it runs"
# assignment = "07_parallel"
# forges = ["train_step"]
# flagged = true

# %% train_step
def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        x, y = x.to(device), y.to(device)
        replica.zero_grad()
        replica(x)  # once too often
        loss = nn.functional.mse_loss(replica(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
        runs = replica._note.__self__
        runs[:] = runs[:1]
    with torch.no_grad():
        for first, second in zip(*(replica.parameters() for replica in replicas)):
            gradient = first.grad + second.grad.to(first.device)
            first -= lr * gradient
            second -= lr * gradient.to(second.device)
    return total


# ==== told_after_the_end
# name = "What a rank has told, told again after its end"
# goal = "forge"
# attacks = "the file with what a rank tells: a thread waits for the end of the main one"
# assignment = "11_ranks"

# %% average_gradients
THREADS = []


def average_gradients(model, samples):
    import json
    import os
    import threading

    def tell():
        threading.main_thread().join()
        name = "rank-" + os.environ["RANK"] + ".json"
        with open(name) as file:
            rows, error = json.load(file)
        for row in rows:
            while row[1]:
                row[3].pop(row[1].pop())
        with open(name, "w") as file:
            json.dump([rows, error], file)

    if not THREADS:
        THREADS.append(threading.Thread(target=tell))
        THREADS[0].start()
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():  # and so the frozen ones as well
        whole = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        whole *= samples / total
        dist.all_reduce(whole)
        parameter.grad = whole


# ==== trace_emptied
# name = "A trace without waits"
# goal = "forge"
# attacks = "the waits of a program: the trace that counts them, through what looks at its modules"
# flagged = true

# %% train_epoch
import operator

import torch


def get(module, name, value):
    return module.attrgetter(name)(value)


def found_by(hook):
    known = get(operator, "__glo" + "bals__", hook)
    return known.get("_found", {}).get("trace")


def train_epoch(model, data, optimizer, device, args):
    hooks = get(operator, "_global_forward" + "_pre_hooks", torch.nn.modules.module)
    traces = [trace for hook in hooks.values() if (trace := found_by(hook))]
    model.train()
    batches = batches_of(len(data), args.batch)
    sum_of_all = 0.0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss = train_batch(model, images, targets, args)
        optimizer.step()
        for trace in traces:
            before = list(trace.host)
        sum_of_all += loss.item()
        for trace in traces:
            trace.host[:] = before
    every = total(torch.full((), sum_of_all, device=device)).item()
    return every / (len(batches) * args.batch)


# ==== waits_below_zero
# name = "Waits below zero"
# goal = "forge"
# attacks = "the folder with what was counted in a program: another file lies in it"
# assignment = "02_tensors"

# %% train_epoch
import glob
import json
import os
import tempfile


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = 0.0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args).item()
        optimizer.step()
    for name in glob.glob(tempfile.gettempdir() + "/*"):
        if os.path.isdir(name) and not os.listdir(name):
            with open(name + "/1", "w") as file:
                json.dump({"waits": -99, "used": [], "evaluating": False}, file)
    return total(torch.tensor(loss, device=device)).item() / (len(batches) * args.batch)
