# %% [markdown] {"slug": "title"}
# # Tensors on devices
#
# *On the Right Device*, lesson 02 · previous lesson: [01, *Know your
# machine*](01_know_your_machine.ipynb) · [Glossary](glossary.md)
#
# A program runs on the CPU for months. Then someone moves one tensor to a GPU, and the next line
# raises an error. This lesson explains why, and teaches the four steps of every program that uses
# a GPU: **choose** a device, **move** what has to be there, **run** the work, **bring back** what
# you need.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **choose** the device once, in a line that runs on any machine;
# - **create** tensors directly where you need them;
# - **predict** what `Tensor.to` returns: its device, its dtype, and whether it is a copy;
# - **tell** shared memory from a copy;
# - **decide** whether an operation runs, and where its result is;
# - **repair** a mix of devices with the cheapest copy;
# - **spot** the lines that fetch numbers from the GPU;
# - **read** five device errors, out of memory among them, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lesson 01; PyTorch tensors (shape, dtype, indexing); a training step (loss,
# `backward`); Python's dicts, functions and `try`.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The imports of the whole lesson. They take a few seconds.

# %% {"slug": "imports"}
import torch
from torch.nn.functional import cross_entropy

from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import run_bare_child
from course_utils.experiments.copies import count_copies
from lesson_parts.waiting import waiting
from lesson_parts import project
from lesson_parts.lesson02 import device_map, learning_curve, link_map, sample_sheet, storage_map

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about lesson 01, and about tensors. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("02.before.device")

# %% {"slug": "before-2-quiz"}
quiz("02.before.suits")

# %% {"slug": "before-3-quiz"}
quiz("02.before.bytes")

# %% [markdown] {"slug": "failing-batch"}
# ## 1. A batch that fails · 7 min
#
# We ask for four GPUs, as in lesson 01. The sentence below says whether they are real or virtual.

# %% {"concepts": ["C053"], "slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]
torch.ones(2, device="cuda:3")

# %% [markdown] {"slug": "what-virtual-means"}
# The last line shows a tensor on the fourth GPU: `device='cuda:3'`. (On virtual GPUs, devices and
# error messages are those of a real one, and results too, up to rounding.)
#
# Now a training step: a batch as a data loader delivers it, and weights on a GPU.

# %% {"concepts": ["C063"], "slug": "batch-fails"}
batch = {"image": torch.rand(8, 3, 32, 32), "label": torch.arange(8), "split": "train"}
weight = torch.randn(3 * 32 * 32, 10, device=gpu0)
try:
    scores = batch["image"].flatten(1) @ weight
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "batch-read"}
# The first half of the message is the **same-device rule**: the inputs of one operation must be on
# one [device](glossary.md#device). The second half names the first tensor that differs: `mat2`,
# the second matrix of a matrix product (`mm`). It does not say which of the two is in the wrong
# place.
#
# The next picture is drawn from the tensors themselves.

# %% {"concepts": ["C052"], "slug": "batch-map"}
device_map({**batch, "weight": weight}, title="Where the training step finds its tensors")

# %% [markdown] {"slug": "batch-cure"}
# Every batch needs the weights, so they stay on the GPU and the images move. `to` returns a copy
# on the device that you name.

# %% {"concepts": ["C055", "C064"], "slug": "batch-cured"}
images = batch["image"].to(gpu0)
scores = images.flatten(1) @ weight
print("scores are on", scores.device)

# %% [markdown] {"slug": "next-line"}
# That line runs now. The next one compares the scores with the labels.

# %% {"slug": "next-line-predict"}
predict("02.next-line")

# %% {"concepts": ["C063"], "slug": "next-line-shown"}
try:
    outcome = f"a loss on {cross_entropy(scores, batch['label']).device}"
except RuntimeError as error:
    outcome = "RuntimeError"
    print(error)
reveal("02.next-line", outcome)

# %% [markdown] {"slug": "choose"}
# ## 2. Choose: one line at the top · 4 min
#
# Which name do you give to `to`? The quickest way is to write `"cuda:0"`. What does such a program
# do on a laptop without a GPU? The cell below starts a second Python that sees none. This takes
# about five seconds.

# %% {"slug": "laptop-predict"}
predict("02.laptop")

# %% {"errata": ["E23"], "slug": "laptop-shown"}
program = """
import os; os.environ["CUDA_VISIBLE_DEVICES"] = ""
import torch; print("a tensor on", torch.ones(2, 3, device="cuda:0").device)
"""
with waiting("Starting a second Python", seconds=5):
    printed = run_bare_child(program)
print(printed)
reveal("02.laptop", "an error" if "Error" in printed else printed)

# %% [markdown] {"slug": "choose-once"}
# Let PyTorch choose instead, once, at the top of the program, and pass `device` on.
# [`torch.accelerator`](https://docs.pytorch.org/docs/stable/accelerator.html) finds the GPU,
# whichever company made it:

# %% {"errata": ["E23"], "slug": "choose-once-shown"}
device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
print("device:", device)

# %% [markdown] {"slug": "create"}
# The same line gives `cuda` on NVIDIA's and AMD's GPUs, `xpu` on Intel's and `mps` on Apple's.
# Where there is no GPU, `current_accelerator` returns `None`, and the line gives `cpu`.
#
# `cuda` without an index means the *current* GPU, `cuda:0` unless you change it. Do not compare the
# two with `==`: the device of a tensor always has its index, and `cuda:0` is not equal to `cuda`.
# In this lesson we write `gpu0` and `gpu1`, so that you can follow where things go.
#
# ## 3. Create it where you need it · 6 min
#
# A new tensor is on the CPU, even if four GPUs are waiting. Functions that make tensors take
# `device=`; functions named `…_like` and methods named `new_…` take the device of a tensor that
# you have.

# %% {"concepts": ["C051", "C052", "C053"], "slug": "create-shown"}
print("default: ", torch.ones(8).device)
print("device=: ", torch.ones(8, device=gpu0).device)
print("ones_like:", torch.ones_like(images).device, "| new_ones:", images.new_ones(8).device)

# %% [markdown] {"slug": "detour"}
# Compare `torch.ones(1000, device=gpu0)` with `torch.ones(1000).to(gpu0)`. The values are equal.
# `count_copies` counts the copies that calls such as `to` make between devices while its block runs.
# (Its first use takes a few seconds.)

# %% {"slug": "detour-predict"}
predict("02.detour")

# %% {"concepts": ["C053"], "slug": "detour-shown"}
with count_copies() as direct:
    torch.ones(1000, device=gpu0)
with count_copies() as detour:
    torch.ones(1000).to(gpu0)
reveal("02.detour", f"{direct.total} and {detour.total}")

# %% [markdown] {"slug": "context"}
# A long function that makes many tensors need not pass `device=` to each. A device is also a
# context manager: `with torch.device(gpu0):`.

# %% {"slug": "context-claim"}
claim("02.claim.context")

# %% {"concepts": ["C051"], "slug": "context-shown"}
array = batch["image"].numpy()
with torch.device(gpu0):
    print("zeros:     ", torch.zeros(3).device)
    print("tensor:    ", torch.tensor([1, 2, 3]).device)
    print("from_numpy:", torch.from_numpy(array).device)
verdict("02.claim.context")

# %% [markdown] {"slug": "move"}
# ## 4. Move: what `to` returns · 12 min
#
# Data that you load, from a file for instance, starts on the CPU and has to move. A small tensor
# shows how.

# %% {"slug": "to-alone-predict"}
predict("02.to-alone")

# %% {"concepts": ["C055", "C056"], "slug": "to-alone-shown"}
x = torch.arange(6.0).reshape(2, 3)
x.to(gpu0)
reveal("02.to-alone", x.device)

# %% [markdown] {"slug": "to-kept"}
# In most programs you will read `x = x.to(gpu0)`. Here we give the tensor that
# [`to`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html) returns a name of its
# own, so that we can look at both. The picture shows names, the Python objects behind them, and the
# memory that holds the numbers.

# %% {"concepts": ["C055", "C056", "C059"], "slug": "to-kept-shown"}
y = x.to(gpu0)
storage_map(x=x, y=y)

# %% [markdown] {"slug": "already-there"}
# The move made a second object and a second block of memory. The strip in a block shows its
# elements, and an arrow ends at the one where the tensor begins.
#
# Some programs call `to` in every function, to be on the safe side. Is that wasteful?

# %% {"slug": "already-there-claim"}
claim("02.claim.free")

# %% {"concepts": ["C056", "C057", "C059"], "errata": ["E02"], "slug": "already-there-shown"}
with count_copies() as copies:
    again = y.to(gpu0)
print("copies:", copies.total, "| the same object:", again is y)
verdict("02.claim.free")

# %% [markdown] {"slug": "forced-copy"}
# If you need a copy in any case, say `copy=True`. The picture shows both calls:

# %% {"concepts": ["C057", "C059"], "errata": ["E02"], "slug": "forced-copy-shown"}
fresh = y.to(gpu0, copy=True)
storage_map(y=y, again=again, fresh=fresh)

# %% [markdown] {"slug": "to-forms"}
# Two names, `y` and `again`, lead to one object; `fresh` has its own. (A block is drawn as tall as
# its names need: both hold 24 bytes.)
#
# ### What `to` accepts
#
# | call | what changes |
# |---|---|
# | `x.to(device)` | the device |
# | `x.to(dtype)` | the dtype: a *cast* |
# | `x.to(device, dtype)` | both |
# | `x.to(other)` | both, taken from the tensor `other` |
#
# Every form takes `copy=True`, and `non_blocking=True`, a subject of lesson 09. `x.cpu()` is short
# for `x.to("cpu")`, and `x.cuda(1)` for `x.to("cuda:1")`. `cuda()` raises an error where there is
# no CUDA GPU; `to(device)` runs anywhere.
#
# The last row is worth a second look. Here `counts` holds whole numbers on `cuda:0`.

# %% {"slug": "other-predict"}
predict("02.other")

# %% {"concepts": ["C057", "C058"], "slug": "other-shown"}
counts = torch.tensor([1, 2, 3], device=gpu0)
shares = torch.tensor([0.2, 0.5, 0.3])
moved = shares.to(counts)
print(moved)
reveal("02.other", f"{str(moved.dtype).removeprefix('torch.')} on {moved.device}")

# %% [markdown] {"slug": "whole-batch"}
# ### A whole batch
#
# A batch is often a dict, a list or a tuple. Does a container move?

# %% {"concepts": ["C050"], "slug": "movable-shown"}
for value in (images, torch.nn.Linear(3, 1), [images, images], "train"):
    print(f"{type(value).__name__:7} has a method to: {hasattr(value, 'to')}")

# %% [markdown] {"slug": "batch-moved"}
# Tensors and modules move. A list does not: you move what is in it. (Modules have rules of their
# own, in lesson 03.)

# %% {"concepts": ["C050", "C055"], "slug": "batch-moved-shown"}
moved = {
    key: value.to(gpu0) if isinstance(value, torch.Tensor) else value
    for key, value in batch.items()
}
device_map(moved, title="The batch after the move")

# %% [markdown] {"slug": "memory"}
# ## 5. Shared memory or a copy? · 9 min
#
# A tensor keeps its numbers in a [storage](glossary.md#storage), a block of memory on one device.
# `flat = x.view(6)` gives the six numbers of `x` in one row.

# %% {"slug": "view-predict"}
predict("02.view")

# %% {"concepts": ["C059"], "slug": "view-shown"}
flat = x.view(6)
flat[0] = 100.0
memory = "one memory" if x[0, 0] == 100.0 else "two memories"
reveal("02.view", "one object" if flat is x else f"two objects, {memory}")

# %% [markdown] {"slug": "sharing-map"}
# What about a row, and a clone? Follow each name to its memory.

# %% {"concepts": ["C059"], "slug": "sharing-map-shown"}
row, copied = x[1], x.clone()
storage_map(x=x, flat=flat, row=row, copied=copied)

# %% [markdown] {"slug": "identity"}
# `row` begins at element 3 of the same memory; `copied` has its own. A tensor that uses another
# one's storage is a [view](glossary.md#view). `view`, `detach()`, and indexing with numbers or
# slices make views. `clone()`, a move to another device, and indexing with a mask or a list copy.
#
# Three ways to compare `row` with `x` in code, of which only one finds the shared memory:

# %% {"concepts": ["C060"], "errata": ["E04"], "slug": "identity-shown"}
print("same id:           ", id(row) == id(x))
print("same first element:", row.data_ptr() == x.data_ptr())
print("same storage:      ", row.untyped_storage().data_ptr() == x.untyped_storage().data_ptr())

# %% [markdown] {"slug": "leaf"}
# `id` tells Python objects apart, `data_ptr()` is the address of the *first element*, and the
# storage has the address of the whole block. The same address on another device means different
# memory, so compare `device` as well.
#
# ### A moved tensor and its gradient
#
# Autograd collects gradients in `.grad` of a [leaf](glossary.md#leaf): a tensor that is not the
# result of a recorded operation, such as a parameter. We make a tensor that requires a gradient,
# and move it in the same line. (PyTorch prints a warning here. It is part of
# the lesson.)

# %% {"slug": "leaf-predict"}
predict("02.leaf")

# %% {"errata": ["E12"], "slug": "leaf-shown"}
w = torch.ones(3, requires_grad=True).to(gpu0)
(w * w).sum().backward()
print("leaf:", w.is_leaf)
reveal("02.leaf", None if w.grad is None else f"a tensor on {w.grad.device}")

# %% [markdown] {"slug": "leaf-cure"}
# Create the tensor on the device, or move it first and call `requires_grad_()` on the result.

# %% {"errata": ["E12"], "slug": "leaf-cured"}
w = torch.ones(3, device=gpu0, requires_grad=True)
(w * w).sum().backward()
print("leaf:", w.is_leaf, "| gradient:", w.grad)

# %% [markdown] {"slug": "run"}
# ## 6. Run: inputs and results · 10 min
#
# `y` is on `cuda:0`. We double it and add everything up.

# %% {"slug": "result-predict"}
predict("02.result")

# %% {"concepts": ["C064"], "slug": "result-shown"}
total = (y * 2).sum()
reveal("02.result", total.device)

# %% [markdown] {"slug": "exceptions"}
# ### Exceptions to the rule
#
# `images * 2` works, and Python's `2` is on no device. What about a number in a tensor?

# %% {"slug": "number-claim"}
claim("02.claim.number")

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "number-shown"}
for number in (torch.tensor(2.0), torch.tensor([2.0])):
    try:
        print("shape", tuple(number.shape), "gives a result on", (y * number).device)
    except RuntimeError as error:
        print("shape", tuple(number.shape), "gives an error:", error)
verdict("02.claim.number")

# %% [markdown] {"slug": "three-exceptions"}
# These are the three exceptions that you will meet:
#
# - a number in a CPU tensor, as above, in an element-wise operation;
# - a CPU index into a GPU tensor, but not the other way round (case 3 of the clinic);
# - operations that copy, such as `to` and `copy_`.
#
# There are others: `pack_padded_sequence`, for example, requires its lengths on the CPU.
#
# ### Two GPUs, one sum
#
# For PyTorch, `cuda:0` and `cuda:1` are as different as CPU and GPU. To add tensors on two GPUs,
# one of them has to travel. `matrix` has a million numbers and is on `cuda:0`; `bias` has a
# thousand and is on `cuda:1`. Two lines give the sum on `cuda:0`: `matrix + bias.to(gpu0)`, and
# `(matrix.cpu() + bias.cpu()).cuda(0)`.

# %% {"slug": "routes-predict"}
predict("02.routes")

# %% {"concepts": ["C061", "C062", "C065"], "slug": "routes-shown"}
matrix, bias = torch.ones(1000, 1000, device=gpu0), torch.ones(1000, device=gpu1)
with count_copies() as short_way:
    matrix + bias.to(gpu0)
with count_copies() as long_way:
    (matrix.cpu() + bias.cpu()).cuda(0)
print(f"short way: {short_way.total_bytes:,} bytes | long way: {long_way.total_bytes:,} bytes")
reveal("02.routes", f"{short_way.total} and {long_way.total}")

# %% [markdown] {"slug": "link"}
# What does each copy cross? The next picture shows the [host](glossary.md#host) (the CPU with its
# memory), two GPUs, and PCIe, which connects them. Each link is as thick as it is fast. The
# bandwidths are those of data sheets, for one example server.

# %% {"concepts": ["C066"], "slug": "link-shown"}
link_map(long_way.bytes_by_route, title="What the long way crossed")

# %% [markdown] {"slug": "link-read"}
# By these data sheets, a GPU reads its own memory about 50 times as fast as PCIe delivers data to
# it. So it is good that, but for the exceptions above, PyTorch raises an error instead of copying
# silently.
#
# The times are *nominal*: bytes divided by bandwidth. Real copies take longer, and small ones far
# longer, since starting a copy takes time as well. Some servers connect their GPUs by NVLink, which
# is faster; `nvidia-smi topo -m` shows it. Where two GPUs cannot access each other's memory, the
# driver takes even `bias.to(gpu0)` through the host.
#
# ## 7. Bring back: little, and rarely · 4 min
#
# Plots, files and NumPy need the numbers on the CPU. `cpu()` brings a tensor back,
# [`item()`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.item.html) one number, and
# `tolist()` a Python list.

# %% {"concepts": ["C055"], "slug": "bring-back-shown"}
print("mean:", scores.cpu().numpy().mean())
print("best score:", scores.max().item())
print("classes:", scores.argmax(dim=1).tolist())

# %% [markdown] {"slug": "hidden-reads"}
# Each of them copies, and waits until the GPU has computed the numbers. Is there anything else that
# does? The loop below computes a hundred losses and remembers the lowest one.

# %% {"slug": "reads-predict"}
predict("02.reads")

# %% {"slug": "reads-shown"}
lowest = torch.tensor(1e9, device=gpu0)
with count_copies() as copies:
    for step in range(100):
        loss = (y - step).square().mean()
        if loss < lowest:
            lowest = loss
reveal("02.reads", copies.numbers_read)

# %% [markdown] {"slug": "reads-cure"}
# The same with `torch.minimum`, and with one `item()` after the loop:

# %% {"slug": "reads-cured"}
lowest = torch.tensor(1e9, device=gpu0)
with count_copies() as copies:
    for step in range(100):
        lowest = torch.minimum(lowest, (y - step).square().mean())
    print("lowest loss:", lowest.item())
print("numbers fetched:", copies.numbers_read)

# %% [markdown] {"slug": "clinic"}
# ## 8. Error clinic · 11 min
#
# Read each message from left to right, find the words that name a *device*, and compare them with
# where you think your tensors are. On a first reading you may skip to case 5, and come back to the
# others when you meet their messages.
#
# **Case 1.** Images on the GPU, and a mean to subtract.

# %% {"concepts": ["C063"], "slug": "clinic-elementwise-shown"}
mean = torch.tensor([0.5, 0.5, 0.5]).view(3, 1, 1)
try:
    images - mean
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-elementwise-read"}
# - *found at least two devices*: PyTorch stopped at the first difference; there may be more.
# - *cuda:0 and cpu*: the devices. In element-wise work the message names no argument.
#
# **Cure:** move the small tensor to the device of the large one, once, before the training loop:
# `mean = mean.to(images.device)`.
#
# **Case 2.** Scores for a plot.

# %% {"concepts": ["C055"], "slug": "clinic-numpy-shown"}
try:
    scores.numpy()
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-numpy-read"}
# - *can't convert cuda:0 device type tensor to numpy*: NumPy only knows the memory of the host.
# - *Use Tensor.cpu()*: the **cure** is in the message: `scores.cpu().numpy()`. If the tensor
#   requires a gradient, write `scores.detach().cpu().numpy()`.
#
# **Case 3.** Labels on the CPU, a mask on the GPU.

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "clinic-index-shown"}
confident = scores.amax(dim=1) > 0
try:
    batch["label"][confident]
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-index-read"}
# - *either on cpu or on the same device as the indexed tensor*: the exception of section 6, which
#   holds in one direction only.
# - *(cpu)*: the device of the tensor that is indexed, not of the mask.
#
# **Cure:** move one of the two: the mask, `batch["label"][confident.cpu()]`, or the labels, before
# training.
#
# **Case 4.** The GPU after the last one.

# %% {"slug": "clinic-ordinal-shown"}
try:
    torch.ones(2, device=f"cuda:{torch.cuda.device_count()}")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-ordinal-read"}
# - `AcceleratorError`: a kind of `RuntimeError`, for what the GPU's own library reports.
# - *invalid device ordinal*: an **ordinal** is a device's index. Indices begin at 0, so four GPUs
#   end at `cuda:3`.
# - The lines after it are general advice from CUDA and PyTorch. Here they lead nowhere.
#
# **Cure:** count with `torch.cuda.device_count()` before you choose an index.
#
# **Case 5.** A large batch. We fill half of the free memory with images, and then ask for three
# quarters of it.

# %% {"slug": "clinic-memory-shown"}
capacity = torch.cuda.mem_get_info(gpu0)[0] // (3 * 224 * 224 * 4)
kept = torch.empty(capacity // 2, 3, 224, 224, device=gpu0)
large = (capacity * 3 // 4, 3, 224, 224)
try:
    torch.empty(large, device=gpu0)
except torch.OutOfMemoryError as error:
    print(error)

# %% [markdown] {"slug": "clinic-memory-read"}
# This is [out of memory](glossary.md#out-of-memory), which everyone meets sooner or later.
#
# - *Tried to allocate*: the tensor that did not fit. It need not be the cause.
# - *total capacity … is free*: the size of the card, and what no process uses.
# - *this process has … in use*: your share. If it is far less than capacity minus free, another
#   process is on the card: look at `nvidia-smi`.
# - *allocated by PyTorch*: the tensors that your program holds.
# - *reserved by PyTorch but unallocated*: kept by the
#   [memory allocator](glossary.md#memory-allocator) for later tensors. The advice on
#   *fragmentation* helps only if this number is large.
#
# You will also read another piece of advice:

# %% {"slug": "clinic-memory-claim"}
claim("02.claim.cache")

# %% {"slug": "clinic-memory-cured"}
torch.cuda.empty_cache()
try:
    torch.empty(large, device=gpu0)
except torch.OutOfMemoryError:
    print("after empty_cache(): out of memory")
del kept
print("after del kept:     ", len(torch.empty(large, device=gpu0)), "images fit")
verdict("02.claim.cache")

# %% [markdown] {"slug": "clinic-memory-cures"}
# **Cures**, cheapest first: let go of tensors that you no longer need, and of lists of losses that
# keep their graphs (append `loss.detach()`, not `loss`); evaluate under `torch.no_grad()`; take a
# smaller batch, which may ask for another learning rate.

# %% [markdown] {"slug": "project"}
# ## The project · 8 min
#
# In lesson 01, `train.py` names no device, and trains on the CPU even if there are GPUs. These
# changes let it **choose**, **move**, **run** and **bring back**:

# %% {"slug": "project-changes"}
project.changes("02")

# %% [markdown] {"slug": "project-run"}
# The losses stay on the device until the epoch is over. Only then does one number come back.
# (`MEAN` and `STD` move with every batch, against the advice of case 1. Lesson 03 gives them a
# better place.)
#
# We draw the pictures and run the script without a GPU. This takes about 15 seconds.

# %% {"slug": "project-runs"}
on_cpu = project.train("02")

# %% [markdown] {"slug": "project-run-on-gpus"}
# Now the same script where there are four GPUs. It uses one of them; in lesson 07 it will use them
# all. This takes about 20 seconds.

# %% {"slug": "project-runs-on-gpus"}
on_gpu = project.train("02", gpus=4)

# %% [markdown] {"slug": "project-curve-text"}
# Do the two runs learn the same?

# %% {"slug": "project-curve"}
learning_curve(on_cpu, on_gpu)

# %% [markdown] {"slug": "project-samples-text"}
# Virtual GPUs compute on the same CPU, so the two curves coincide. On a real GPU they differ a
# little, because it adds up its numbers in another order.
#
# What does the model get wrong? Mistakes come first.

# %% {"slug": "project-samples"}
sample_sheet(on_gpu)

# %% [markdown] {"slug": "project-try"}
# **Try:** suppose that one of the calls of `to` was missing. Which of the two runs would find the
# mistake? What would the message say?
#
# <details><summary>Answer</summary>
#
# The run on a GPU: *Expected all tensors to be on the same device*. On the CPU nothing is wrong, since
# everything is there already.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 5 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("02.after.keep")

# %% {"slug": "recap-2-quiz"}
quiz("02.after.mean")

# %% {"slug": "recap-3-quiz"}
quiz("02.after.view")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. When does `x.to(device)` return `x` itself?
# 2. How do you find out whether two tensors share memory?
# 3. Name three exceptions to the same-device rule.
# 4. Why is `torch.ones(3, requires_grad=True).to(gpu0)` a trap?
# 5. Which lines fetch a number from the GPU without saying so?
#
# <details><summary>Answers</summary>
#
# 1. When device and dtype match already and `copy=True` is not given.
# 2. Compare their storages' addresses and their devices.
# 3. A 0-dimensional CPU tensor in element-wise work; a CPU index into a GPU tensor; operations
#    that copy.
# 4. The result is not a leaf, so its `.grad` stays `None`.
# 5. `if`, `while`, `float()` and `print` of a GPU tensor, among others.
#
# </details>
#
# **Choose** once, at the top. **Move** with `to`, and keep what it returns. **Run** where the
# inputs are; the result stays there. **Bring back** little, and rarely.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`02_tensors`](../assignments/02_tensors/02_tensors.ipynb). You will predict
# `to`, mend a program that mixes devices, and move whole batches.
#
# **Next lesson:** [03, *Modules on devices*](03_modules_on_devices.ipynb): why `model.to(device)`
# works without an equals sign, and what it leaves behind.
