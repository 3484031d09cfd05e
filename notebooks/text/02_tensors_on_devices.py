# %% [markdown] {"slug": "title"}
# # Tensors on devices
#
# *On the Right Device*, lesson 02
#
# A tensor is an object in Python and a block of numbers somewhere: in the memory of the processor,
# or in that of a GPU. This lesson is about the *somewhere*. It uses four words for everything you
# do with a device, and the whole course keeps to them: **choose** a device, **move** what has to
# be there, **run** the work, **bring back** what you need.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **create** a tensor directly on the device you choose;
# - **predict** what `Tensor.to` returns: the same tensor or a new one, on which device, of which
#   dtype;
# - **tell** two names of one object from two objects, and shared memory from a copy;
# - **decide** whether an operation on several tensors runs, and where its result lives;
# - **repair** a mix of devices and move as few bytes as possible;
# - **time** work on a GPU without measuring the wrong thing;
# - **read** six device errors word by word, and cure them.
#
# **Minutes:** 75
#
# **Prerequisites:** what a CPU and a GPU are good at, `nvidia-smi` and `torch.device`, as in
# lesson 01 (if it is not in your copy of the course yet, the three questions below say what you
# need); Python's lists, dicts, functions and `try`.
#
# Before a cell with a surprise you are asked for a prediction. Choose an answer even if you have
# to guess: what you predicted wrongly is what you will remember. Every cell runs with or without a
# GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions
#
# First the names we need: `predict`, `reveal` and `quiz` ask questions, the other four are tools
# for later.

# %% {"slug": "imports"}
import torch

from course_utils import lab, predict, quiz, reveal
from course_utils.experiments.copies import count_copies
from course_utils.figures import device_map, storage_map, timeline

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory, without looking anything up. Each answer comes with its reason.

# %% {"slug": "before-1-quiz"}
quiz("02.before.device")

# %% {"slug": "before-2-quiz"}
quiz("02.before.suits")

# %% {"slug": "before-3-quiz"}
quiz("02.before.smi")

# %% [markdown] {"slug": "choose"}
# ## 1. Choose: where a tensor is born
#
# We ask for four GPUs. `lab` takes real ones where the machine has enough of them, and otherwise
# makes *virtual* ones. It always says which.

# %% {"slug": "lab"}
devices = lab(gpus=4)
cpu = torch.device("cpu")
gpu, second = devices[0], devices[1]
gpu, second

# %% [markdown] {"slug": "what-virtual-means"}
# Two names for two GPUs, `cuda:0` and `cuda:1`. If the sentence above says *virtual*, then the CPU
# does the computing behind the scenes: the values, the places where tensors live and the error
# messages are those of CUDA, and **the speed is not**. A time that comes from a model and not from
# a clock is labelled *modelled* in this course.
#
# A device may also be given by its name. We put two numbers on the fourth GPU:

# %% {"concepts": ["C053"], "slug": "fourth-gpu"}
torch.ones(2, device="cuda:3")

# %% [markdown] {"slug": "two-kinds"}
# The tensor says where it lives: `device='cuda:3'`.
#
# ### Two kinds of things live on a device
#
# Let us see which Python values can be moved at all. We ask four of them whether they have the
# method `to`.

# %% {"concepts": ["C050"], "slug": "two-kinds-shown"}
layer = torch.nn.Linear(3, 1)
for thing in (torch.ones(3), layer, [torch.ones(3)], "a label"):
    print(type(thing).__name__, hasattr(thing, "to"))

# %% [markdown] {"slug": "two-kinds-explained"}
# Tensors have `to`, and so do **modules**, the building blocks of networks. A list does not, even
# with tensors inside: you move what it contains. Modules follow rules of their own, in lesson
# 03; this lesson is about tensors.

# %% [markdown] {"slug": "birthplace"}
# ### The default
#
# Four GPUs are waiting. Where will PyTorch put a new tensor if you say nothing? Two attributes
# tell: `device` says where the tensor is, and `is_cuda` answers one yes-or-no question about that.

# %% {"slug": "birthplace-predict"}
predict("02.birthplace")

# %% {"concepts": ["C051", "C052"], "slug": "birthplace-shown"}
x = torch.tensor([1, 2, 3])
print("device:", x.device, " is_cuda:", x.is_cuda)
reveal("02.birthplace", x.device)

# %% [markdown] {"slug": "claim-default"}
# > **Claim in circulation.** “All frameworks compute on the CPU unless they are told otherwise.”
#
# Let us ask PyTorch for its default, and then change it for a moment.

# %% {"errata": ["E13"], "slug": "claim-default-shown"}
print(torch.get_default_device())
with gpu:
    print(torch.ones(2).device)

# %% [markdown] {"slug": "claim-default-fact"}
# The default is `cpu`. Inside the block, where a device is used as a context manager, functions
# such as `torch.ones` make their tensors on `cuda:0`. (`torch.from_numpy`, which shares the memory
# of an existing array, stays on the CPU.)
#
# > **The fact.** The CPU is *PyTorch's* default, and you can change it. Other frameworks choose
# > differently: TensorFlow places an operation on a GPU whenever there is one that can do it.

# %% [markdown] {"slug": "claim-is-cuda"}
# Some notes show the next line as the output of a program.
#
# > **Claim in circulation.** “`x_gpu: device: cpu is_cuda: True`”
#
# We print the same two attributes for a tensor on each side.

# %% {"concepts": ["C052"], "errata": ["E05"], "slug": "claim-is-cuda-shown"}
for tensor in (torch.ones(1), torch.ones(1, device=gpu)):
    print("device:", tensor.device, " is_cuda:", tensor.is_cuda)

# %% [markdown] {"slug": "claim-is-cuda-fact"}
# `cpu` goes with `False`, `cuda:0` with `True`.
#
# > **The fact.** `is_cuda` says the same as `device.type == "cuda"`. The two cannot disagree, so
# > the printed line never came from one run. Output that was typed or edited by hand is worth less
# > than a cell you can run.

# %% [markdown] {"slug": "create-there"}
# ### Create it where you need it
#
# Functions that make tensors take `device=`.

# %% {"concepts": ["C053"], "slug": "create-there-shown"}
a = torch.ones(2, 3, device=gpu)
b = torch.arange(3, device=gpu)
print(a)
print(b.device, b.dtype)

# %% [markdown] {"slug": "create-like"}
# Both live on `cuda:0`; a tensor that is not on the CPU shows its device when it is printed. Often
# a tensor should live where another one does. Then you need not name the device at all.

# %% {"concepts": ["C053"], "slug": "create-like-shown"}
zeros = torch.zeros_like(a)
sevens = a.new_full((2,), 7.0)
zeros.device, sevens.device, sevens.dtype

# %% [markdown] {"slug": "detour"}
# `zeros_like` and its relatives take over shape, dtype and device; the methods `new_…` take over
# dtype and device.
#
# Is it only a matter of taste? Compare `torch.ones(1000, device=gpu)` with
# `torch.ones(1000).to(gpu)`. The values are equal. `count_copies` will count the copies from one
# device to another while its block runs.

# %% {"slug": "detour-predict"}
predict("02.detour")

# %% {"concepts": ["C053"], "slug": "detour-shown"}
with count_copies() as direct:
    torch.ones(1000, device=gpu)
with count_copies() as detour:
    torch.ones(1000).to(gpu)
reveal("02.detour", f"{direct.total} and {detour.total}")

# %% [markdown] {"slug": "claim-hard-coded"}
# > **Claim in circulation.** “Just write `cuda:0` wherever a device is needed. Nobody has to write
# > a function that chooses.”
#
# The line works here. Let us run it in a second Python to which no GPU is visible, as on a
# colleague's laptop. This takes a few seconds.

# %% {"errata": ["E23"], "slug": "claim-hard-coded-shown"}
import os
import subprocess
import sys

line = "import torch; torch.ones(2, 3, device='cuda:0')"
laptop = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
ran = subprocess.run([sys.executable, "-c", line], env=laptop, capture_output=True, text=True)
print(ran.stderr.strip().splitlines()[-1])

# %% [markdown] {"slug": "claim-hard-coded-fact"}
# The program ends with `Torch not compiled with CUDA enabled` where PyTorch was built without
# CUDA, or with `No CUDA GPUs are available` (or a sentence about the driver) where it was built
# with it.
#
# > **The fact.** A hard-coded `cuda:0` breaks on every machine without a GPU. **Choose** the
# > device once, at the top, and pass it on.

# %% {"errata": ["E23"], "slug": "choose-once"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.ones(2, 3, device=device).device

# %% [markdown] {"slug": "move"}
# Here that is `cuda`, and a name without an index means the *current* GPU, `cuda:0` at first. From
# now on we write `gpu`, so that you can follow where things go.
#
# ## 2. Move: what `to` does
#
# A tensor exists already and is needed on another device. `x.to(gpu)` looks like an order to `x`.
# Is it one?

# %% {"slug": "to-alone-predict"}
predict("02.to-alone")

# %% {"concepts": ["C055", "C056"], "slug": "to-alone-shown"}
x = torch.arange(6.0).reshape(2, 3)
x.to(gpu)
reveal("02.to-alone", x.device)

# %% [markdown] {"slug": "to-kept"}
# This time we give names to what `to` **returns**, on the way there and on the way back:

# %% {"concepts": ["C055", "C056"], "slug": "to-kept-shown"}
y = x.to(gpu)
home = y.to("cpu")
x.device, y.device, home.device

# %% [markdown] {"slug": "first-map"}
# The way back is the same call. Usually one name is enough, and you write `x = x.to(gpu)`. Here we
# keep several names in order to look at them. The picture is drawn from the tensors themselves:
# names on the left, Python objects in the middle, memory on the right.

# %% {"concepts": ["C055", "C059"], "slug": "first-map-shown"}
storage_map(x=x, y=y, home=home)

# %% [markdown] {"slug": "same-object"}
# Three names, three objects, three blocks of memory: each move made a copy.
#
# Now we ask for the device on which the tensor already is. Python's `is` tells whether two names
# mean one object.

# %% {"slug": "same-object-predict"}
predict("02.same-object")

# %% {"concepts": ["C056", "C059"], "errata": ["E02"], "slug": "same-object-shown"}
again = y.to(gpu)
reveal("02.same-object", "the same object" if again is y else "a new object with a copy")

# %% [markdown] {"slug": "same-object-map"}
# The picture with the new name in it:

# %% {"concepts": ["C059"], "slug": "same-object-map-shown"}
storage_map(x=x, y=y, again=again)

# %% [markdown] {"slug": "claim-always-new"}
# Follow the two lower names to their objects: how many are there? In any case, `x = x.to(device)`
# is safe to write, even where `x` may be on that device already.
#
# > **Claim in circulation.** “`Tensor.to` always makes a new tensor with a new address.”

# %% {"concepts": ["C057"], "errata": ["E02"], "slug": "claim-always-new-shown"}
print(x.to("cpu") is x, x.to(torch.float32) is x, x.cpu() is x)
print(x.to("cpu", copy=True) is x)

# %% [markdown] {"slug": "claim-always-new-fact"}
# Three times `True`, then `False`.
#
# > **The fact.** If device and dtype already match, you get the tensor itself, also from `cpu()`
# > and `cuda()`. If you need a copy in any case, say so: `copy=True`.

# %% [markdown] {"slug": "claim-ids-prove"}
# A well-known demonstration prints `id(x)` before and after the move, with a device that falls
# back to the CPU where there is no GPU.
#
# > **Claim in circulation.** “The two ids differ, which proves that `to` does not work in place.”
#
# We run the demonstration as it goes on both kinds of machine.

# %% {"concepts": ["C059", "C060"], "errata": ["E03"], "slug": "claim-ids-prove-shown"}
for device in (gpu, cpu):
    x_moved = x.to(device)
    print(device, " equal ids:", id(x_moved) == id(x), " x is on:", x.device)

# %% [markdown] {"slug": "claim-ids-prove-fact"}
# With a GPU the ids differ. Without one they are equal, and the demonstration “proves” the
# opposite.
#
# > **The fact.** *Not in place* means that `x` itself does not change, and the last column shows
# > it: `x` stays on the CPU in both runs. Equal or different ids only say whether there was
# > something to do.

# %% [markdown] {"slug": "to-forms"}
# ### What `to` accepts
#
# The documentation writes `Tensor.to(*args, **kwargs)`, because the method has several forms:
#
# | call | what you give it |
# |---|---|
# | `x.to(device)` | a device |
# | `x.to(dtype)` | a dtype, the type of the numbers |
# | `x.to(device, dtype)` | both |
# | `x.to(other)` | a tensor `other`, which has both |
#
# Every form takes `copy=True`, and `non_blocking=True`, which is for lesson 09.

# %% {"slug": "cast-predict"}
predict("02.cast")

# %% {"concepts": ["C057", "C058"], "slug": "cast-shown"}
cast = y.to(torch.float64)
reveal("02.cast", f"{str(cast.dtype).removeprefix('torch.')} on {cast.device}")

# %% [markdown] {"slug": "other-form"}
# A change of dtype is called a **cast**. The last form of the table is worth a second look. `b`
# holds whole numbers on `cuda:0`:

# %% {"concepts": ["C057"], "slug": "other-form-shown"}
like_b = x.to(b)
like_b.device, like_b.dtype

# %% [markdown] {"slug": "claim-cuda-method"}
# `x` was float32, the result is int64: fractions would be lost silently. To take over only the
# device, write `x.to(b.device)`.
#
# > **Claim in circulation.** “`x.cuda()` is deprecated; it belongs to the time before PyTorch
# > 0.4.”
#
# If that were so, PyTorch would warn. We collect all warnings while we call it.

# %% {"concepts": ["C061"], "errata": ["E09"], "slug": "claim-cuda-method-shown"}
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old_style = x.cuda()
old_style.device, caught

# %% [markdown] {"slug": "claim-cuda-method-fact"}
# The tensor is on `cuda:0`, and the list of warnings is empty.
#
# > **The fact.** `cuda()` and `cpu()` are alive and not deprecated. We prefer `to(device)` for one
# > reason: the same line then also runs where the chosen device is the CPU, or a GPU of another
# > maker.

# %% [markdown] {"slug": "identity"}
# ## 3. One object or two, one memory or two?
#
# Two questions are often mixed up. *Are these two names one object?* Python answers with `is`. *Do
# these two objects use the same numbers?* That is a question about memory. A tensor keeps its
# numbers in a **storage**, a plain block of memory on one device, and several tensors can look
# into one storage. To find out, we change a number through one name and look through the other.

# %% {"slug": "view-predict"}
predict("02.view")

# %% {"concepts": ["C059"], "slug": "view-shown"}
flat = x.view(6)
flat[0] = 100.0
memory = "one memory" if x[0, 0] == 100.0 else "two memories"
reveal("02.view", "one object" if flat is x else f"two objects, {memory}")

# %% [markdown] {"slug": "sharing-map"}
# What about a slice, and a clone? Follow the names in the picture to their memory.

# %% {"concepts": ["C059", "C060"], "slug": "sharing-map-shown"}
row, copied = x[1], x.clone()
storage_map(x=x, flat=flat, row=row, copied=copied)

# %% [markdown] {"slug": "claim-id-address"}
# `row` uses the memory of `x` from element 3 on, and `copied` has its own. A tensor that looks into
# another one's storage is called a **view**. `detach()` makes one too; `clone()` and every real
# move copy.
#
# Tutorials print numbers such as `2376668664352` and `2376668665952` for `id(x_cpu)` and
# `id(x_gpu)`.
#
# > **Claim in circulation.** “`id(x)` is the memory address of the data. Different ids, different
# > data.”

# %% {"concepts": ["C060"], "errata": ["E04"], "slug": "claim-id-address-shown"}
print("equal ids:", id(flat) == id(x), " equal addresses:", flat.data_ptr() == x.data_ptr())
print("ids of five tensors in turn:", len({id(torch.ones(3)) for _ in range(5)}))

# %% [markdown] {"slug": "claim-id-address-fact"}
# The ids differ although both tensors use the same numbers. And five tensors, each of which was
# gone before the next one came, needed fewer than five ids.
#
# > **The fact.** `id` identifies the Python object, only while it lives, and is given to another
# > object afterwards. The numbers of a tensor begin at `data_ptr()`, on `device`.

# %% [markdown] {"slug": "addresses"}
# Even `data_ptr()` needs care. It is the address of the tensor's *first* element, and `row` begins
# later than `x`.

# %% {"concepts": ["C060"], "slug": "addresses-shown"}
print(row.data_ptr() - x.data_ptr(), "bytes apart")
print(row.untyped_storage().data_ptr() - x.untyped_storage().data_ptr(), "bytes apart")

# %% [markdown] {"slug": "addresses-explained"}
# The first elements are 12 bytes apart (three numbers of 4 bytes); the storages begin at the same
# address. To ask about shared memory, look at storages, and remember that an address belongs to one
# device: the same number on another device means other memory.

# %% [markdown] {"slug": "leaf"}
# ### A moved tensor and its gradient
#
# Training needs gradients, and PyTorch keeps them in `.grad`. Here a tensor that requires a
# gradient is made and moved in one line.

# %% {"slug": "leaf-predict"}
predict("02.leaf")

# %% [markdown] {"slug": "claim-leaf"}
# > **Claim in circulation.** “`x = x.to(device)` is all there is to say about moving a tensor.”
#
# PyTorch may print a warning under this cell. It is part of the lesson.

# %% {"errata": ["E12"], "slug": "claim-leaf-shown"}
w = torch.ones(3, requires_grad=True).to(gpu)
(w * w).sum().backward()
print("leaf:", w.is_leaf)
reveal("02.leaf", None if w.grad is None else f"a tensor on {w.grad.device}")

# %% [markdown] {"slug": "claim-leaf-fact"}
# > **The fact.** A move is recorded by autograd like any other operation. So create the tensor on
# > the device, or move it first and call `requires_grad_()` on the result.

# %% {"errata": ["E12"], "slug": "leaf-cured"}
w = torch.ones(3, device=gpu, requires_grad=True)
(w * w).sum().backward()
w.is_leaf, w.grad

# %% [markdown] {"slug": "run"}
# Now `w` is a leaf, and its gradient is beside it on `cuda:0`.
#
# ## 4. Run: inputs and results
#
# We come to the work itself. Where is a result born?

# %% {"slug": "result-predict"}
predict("02.result")

# %% {"concepts": ["C064"], "slug": "result-shown"}
total = (y * 2).sum()
reveal("02.result", total.device)

# %% [markdown] {"slug": "mixed"}
# And if the inputs live on two devices? Should there be an error, the cell prints its message.

# %% {"slug": "mixed-predict"}
predict("02.mixed")

# %% {"concepts": ["C063"], "slug": "mixed-shown"}
try:
    outcome = f"a tensor on {(x + y).device}"
except RuntimeError as error:
    outcome = type(error).__name__
    print(error)
reveal("02.mixed", outcome)

# %% [markdown] {"slug": "claim-always-same"}
# > **Claim in circulation.** “Tensors in one operation must always be on the same device, without
# > exception.”
#
# We try a number that is a tensor on the CPU, and then a CPU index into a tensor on the GPU.

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "claim-always-same-shown"}
two, last_row = torch.tensor(2.0), torch.tensor([1])
print("a number on", two.device, "gives", (y * two).device)
print("an index on", last_row.device, "gives", y[last_row].device)

# %% [markdown] {"slug": "one-element"}
# Both work, with results on `cuda:0`. `two` has no dimension: it is a single number, and PyTorch
# can pass its value as an argument to the **kernel**, the program that runs on the GPU. Is a tensor
# with one element the same thing?

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "one-element-shown"}
try:
    y * torch.tensor([2.0])
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "claim-always-same-fact"}
# It is not: one pair of brackets makes it a list of length one, and the rule applies.
#
# > **The fact.** The same-device rule has exceptions. You will meet three. A **0-dimensional** CPU
# > tensor may join an element-wise operation on a GPU; a CPU **index** may select from a GPU
# > tensor, but not the other way round; and what copies, such as `to` and `copy_`, crosses devices,
# > since that is its purpose. (There are others: `pack_padded_sequence`, for one,
# > demands its lengths on the CPU.)
#
# ### Two GPUs
#
# For PyTorch, `cuda:0` and `cuda:1` are as different as CPU and GPU.
#
# > **Claim in circulation.** “`Z = X.cuda(1)` moves `X` from GPU 0 to GPU 1.”

# %% {"concepts": ["C062"], "errata": ["E25"], "slug": "claim-cuda-1-shown"}
z = y.cuda(1)
print("y:", y.device, " z:", z.device)
print("already there:", z.cuda(1) is z, " from the CPU:", x.cuda(1).device)
source = torch.ones(2, 3, device=gpu, requires_grad=True)
source.cuda(1).sum().backward()
print("gradient:", source.grad.device)

# %% [markdown] {"slug": "claim-cuda-1-fact"}
# `y` is where it was and `z` is a copy; a tensor that is there already is not copied; it may also
# come from the CPU; and a gradient finds its way back through the copy, to `cuda:0`.
#
# > **The fact.** `X.cuda(1)` means `X.to("cuda:1")`: it returns a tensor there, from wherever `X`
# > is, and leaves `X` alone.

# %% [markdown] {"slug": "one-operand"}
# ### Move one operand, the cheap one
#
# To add tensors on two cards, one of them has to travel. `nbytes` says how much each would carry.

# %% {"concepts": ["C065", "C066"], "slug": "one-operand-sizes"}
matrix = torch.ones(1000, 1000, device=gpu)
bias = torch.ones(1000, device=second)
matrix.nbytes, bias.nbytes

# %% [markdown] {"slug": "one-operand-predict-text"}
# The matrix is a thousand times larger. Two ways lead to a sum on `cuda:0`: `matrix +
# bias.to(gpu)`, or both to the CPU, add, and send the sum to `cuda:0`.

# %% {"slug": "one-operand-predict"}
predict("02.routes")

# %% {"concepts": ["C065", "C066"], "slug": "one-operand-shown"}
with count_copies() as short_way:
    matrix + bias.to(gpu)
with count_copies() as long_way:
    (matrix.cpu() + bias.cpu()).to(gpu)
print("bytes:", short_way.total_bytes, "and", long_way.total_bytes)
reveal("02.routes", f"{short_way.total} and {long_way.total}")

# %% [markdown] {"slug": "claim-split-network"}
# > **Claim in circulation.** “A network with one part on the CPU and another on the GPU just raises
# > an error, because mixing devices was too hard to implement.”
#
# Here is such a network, on three devices. It moves what passes from one part to the next.

# %% {"concepts": ["C066"], "errata": ["E26"], "slug": "claim-split-network-shown"}
parts = [torch.nn.Linear(3, 4), torch.nn.Linear(4, 4).to(gpu), torch.nn.Linear(4, 1).to(second)]
signal = x
for part in parts:
    signal = part(signal.to(part.weight.device))
    print(signal.device)

# %% [markdown] {"slug": "claim-split-network-fact"}
# It runs, and ends on `cuda:1`. This is called *model parallelism*.
#
# > **The fact.** The error belongs to the single operation whose inputs live on two devices, not to
# > the network. PyTorch could copy for you; it refuses on purpose, because copies that nobody sees
# > make a program slow and nobody knows why. Where data moves, the program says so.

# %% [markdown] {"slug": "bring-back"}
# ## 5. Bring back: what you need, when you need it
#
# Plotting, NumPy, files and `if` live on the CPU. Three methods bring numbers back: `cpu()` for a
# tensor, `item()` for a single number, `tolist()` for Python lists.

# %% {"concepts": ["C055"], "slug": "bring-back-shown"}
doubled = y * 2
print(doubled.cpu().numpy().mean())
print(doubled.sum().item(), doubled[1].tolist())

# %% [markdown] {"slug": "batch"}
# The mean is 5; the sum is 30, and the second row is `[6.0, 8.0, 10.0]`. Each of the three methods
# copies, and waits until the GPU has computed the number. In a training loop, bring back what you
# show, not every intermediate result.
#
# ### A whole batch
#
# Real batches are containers. This picture shows where the tensors of one are:

# %% {"concepts": ["C050", "C052"], "slug": "batch-shown"}
batch = {
    "image": torch.zeros(8, 3, 32, 32, device=gpu),
    "label": torch.zeros(8, dtype=torch.long),
    "split": "training",
}
device_map(batch, title="A batch on two devices")

# %% [markdown] {"slug": "batch-repair"}
# The labels were left behind: the loss would raise. We move what is not there, and keep what `to`
# returns. For the picture we name the second GPU as well, although it holds nothing.

# %% {"concepts": ["C055", "C056"], "slug": "batch-repaired"}
batch["label"] = batch["label"].to(gpu)
device_map(batch, title="The batch on one device", devices=[cpu, gpu, second])

# %% [markdown] {"slug": "timing"}
# Image and labels are together on `cuda:0`; the plain text has no device and needs none.
#
# ## 6. What does it cost? Measuring without fooling yourself
#
# CUDA works **asynchronously**: a line such as `square @ square` only puts the work into the GPU's
# queue, which is called a *launch*, and goes on at once. Your Python program runs on the **host**,
# as the CPU and its memory are called, while the device computes.
#
# We draw a schedule. Suppose a launch takes 5 µs and a matrix product 100 µs. (These are
# *modelled* numbers, not measurements.) A program reads the clock, launches three products, and
# reads the clock again. In the cell, each entry says what is done, from when, until when.

# %% {"slug": "launch-predict"}
predict("02.launch-only")

# %% {"concepts": ["C054"], "slug": "launch-shown"}
launches = [("launch", 0, 5), ("launch", 5, 10), ("launch", 10, 15)]
products = [("product", 5, 105), ("product", 105, 205), ("product", 205, 305)]
stop = launches[-1][2]
reveal("02.launch-only", f"{stop} µs")

# %% [markdown] {"slug": "launch-draw"}
# The drawing shows the host, the device, and the two moments at which the clock is read.

# %% {"concepts": ["C054"], "slug": "launch-drawn"}
timeline(host=launches, device=products, marks={"start": 0, "stop": stop},
         title="Three launches, and the two readings")

# %% [markdown] {"slug": "wait-draw"}
# `torch.cuda.synchronize()` makes the host wait until the queue is empty. With that wait before the
# last reading:

# %% {"concepts": ["C054"], "slug": "wait-drawn"}
waiting = [*launches, ("synchronize", 15, 305)]
timeline(host=waiting, device=products, marks={"start": 0, "stop": 305},
         title="The host waits, then reads the clock")

# %% [markdown] {"slug": "protocol"}
# In the first drawing the clock missed nearly all of the work; now it covers it. The protocol has
# six steps, and each has its reason:
#
# 1. **Warm up**: run it once without a clock. The first CUDA call initialises the GPU and loads
#    libraries, which can take far longer than the work itself.
# 2. **Synchronize**: earlier work must not run inside your measurement.
# 3. **Start** the clock.
# 4. **Run**, best several times.
# 5. **Synchronize**: the work has to be finished, not only launched.
# 6. **Stop** the clock.
#
# Steps 1 and 2:

# %% {"concepts": ["C054"], "slug": "protocol-warm"}
from time import perf_counter

square = torch.rand(300, 300, device=gpu)
square @ square
torch.cuda.synchronize()

# %% [markdown] {"slug": "protocol-clock"}
# The work is warm and the queue is empty. Steps 3 to 6:

# %% {"concepts": ["C054"], "slug": "protocol-clocked"}
start = perf_counter()
for _ in range(20):
    square @ square
torch.cuda.synchronize()
stop = perf_counter()
print(f"{(stop - start) / 20 * 1e6:.0f} µs for one product, GPUs are {devices.kind}")

# %% [markdown] {"slug": "benchmark"}
# If the GPUs are virtual, this number is the CPU's and tells nothing about a GPU: there, a launch
# returns when the work is done. The protocol is the same.
#
# PyTorch has the protocol ready-made. `Timer` warms up, synchronizes where CUDA is in use, and
# repeats. It also sets the number of CPU threads, to one unless you name another. Virtual GPUs
# compute on these threads, so we let it use as many as the cell above did.

# %% {"concepts": ["C054"], "slug": "benchmark-shown"}
from torch.utils import benchmark

timer = benchmark.Timer("square @ square", globals={"square": square},
                        num_threads=torch.get_num_threads())
timer.timeit(20)

# %% [markdown] {"slug": "claim-slower"}
# Two measurements of one thing, in the same conditions: expect the same order of magnitude, not the
# same number.
#
# > **Claim in circulation.** “`torch.ones(2, 3)` on the GPU is clearly slower than on the CPU.”
#
# This was felt, not measured, in the first CUDA call of a program. Let us see how much of a small
# operation is work at all. We use the CPU, which every machine has: 6 numbers, then 6 million.

# %% {"concepts": ["C054"], "errata": ["E22"], "slug": "claim-slower-shown"}
times = []
for count in (6, 6_000_000):
    numbers = torch.ones(count)
    timer = benchmark.Timer("numbers + numbers", globals={"numbers": numbers})
    times.append(timer.blocked_autorange(min_run_time=0.2).median)
print(f"1,000,000 times the numbers, {times[1] / times[0]:,.0f} times the time")

# %% [markdown] {"slug": "claim-slower-fact"}
# A million times the numbers takes far less than a million times as long: a few thousand times is
# common (2,000 to 2,400 on the two-core computer where this was last tried). For 6 numbers, nearly
# all of the time goes into starting.
#
# > **The fact.** A first CUDA call measures initialisation; a call without a wait measures the
# > launch; and six numbers measure the cost of starting. None of the three tells how fast a GPU
# > computes.

# %% [markdown] {"slug": "transfer"}
# ### The way there and back
#
# A copy can cost more than the work. A *modelled* example: add 1 to 24 MB of numbers on the GPU.
# Suppose that the connection between the two memories carries 6 GB per second and the GPU's own
# memory 480 GB per second; the addition reads and writes all of it.

# %% {"concepts": ["C066"], "slug": "transfer-modelled"}
copy_ms, add_ms = 24 / 6, 2 * 24 / 480
there, added = copy_ms, copy_ms + add_ms
print(f"modelled: {copy_ms:g} ms there, {add_ms:g} ms to add, {copy_ms:g} ms back")
timeline(host=[("copy there", 0, there), ("copy back", added, added + copy_ms)],
         device=[("add", there, added)], unit="ms", title="One addition and two copies")

# %% [markdown] {"slug": "transfer-explained"}
# The addition is the thin bar in the middle: in this model the two copies together take eighty
# times as long. This is why you **move** data once, **run** as much as you can where it is, and
# **bring back** little. It is also why PyTorch does not copy in secret.

# %% [markdown] {"slug": "clinic"}
# ## 7. Error clinic
#
# Six messages that everyone meets. Read each from left to right, find the words that name a
# *device*, and compare them with where you think your tensors are.

# %% [markdown] {"slug": "clinic-elementwise"}
# **Case 1.** Element-wise work on two devices.

# %% {"concepts": ["C063"], "slug": "clinic-elementwise-shown"}
try:
    x * y
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-elementwise-read"}
# - *Expected all tensors to be on the same device*: the rule.
# - *but found at least two devices*: PyTorch stopped at the first difference; there may be more.
# - *cuda:0 and cpu*: the devices, not the order of your operands. The GPU is named first even
#   though `x`, on the CPU, comes first.
#
# **Cure:** move one of them, and let the other stay.

# %% {"concepts": ["C063", "C065"], "slug": "clinic-elementwise-cured"}
x.to(y.device) * y

# %% [markdown] {"slug": "clinic-addmm"}
# The product is on `cuda:0`, where `y` is.
#
# **Case 2.** A layer on the GPU meets an input on the CPU.

# %% {"concepts": ["C063"], "slug": "clinic-addmm-shown"}
layer = layer.to(gpu)
try:
    layer(x)
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-addmm-read"}
# - *got mat1 is on cpu*: `mat1` is the first matrix of a product, here the layer's input.
# - *different from other tensors on cuda:0*: all the others, weight and bias, are there.
# - *wrapper_CUDA_addmm*: the operation, `addmm`: **add** a bias to a **m**atrix
#   **m**ultiplication. That is what `Linear` does.
#
# **Cure:** the input is the one that differs, so move the input.

# %% {"concepts": ["C063", "C064"], "slug": "clinic-addmm-cured"}
layer(x.to(gpu)).device

# %% [markdown] {"slug": "clinic-numpy"}
# It runs, and the layer's output is on `cuda:0` too.
#
# **Case 3.** NumPy is asked to read memory of the GPU.

# %% {"concepts": ["C055"], "slug": "clinic-numpy-shown"}
try:
    y.numpy()
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-numpy-read"}
# - *can't convert cuda:0 device type tensor to numpy*: NumPy only knows the memory of the host.
# - *Use Tensor.cpu() to copy the tensor to host memory first*: the cure is in the message. If the
#   tensor takes part in a gradient, write `detach()` before `cpu()`.

# %% {"concepts": ["C055"], "slug": "clinic-numpy-cured"}
y.cpu().numpy()

# %% [markdown] {"slug": "clinic-index"}
# An array in the memory of the host.
#
# **Case 4.** A tensor on the CPU, an index on the GPU.

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "clinic-index-shown"}
pick = torch.tensor([1], device=gpu)
try:
    x[pick]
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-index-read"}
# - *indices should be either on cpu or on the same device as the indexed tensor*: the exception
#   from section 4, in full. It holds in one direction only.
# - *(cpu)*: the device of the tensor that is indexed, not of the index.
#
# **Cure:** bring the index to the tensor. It is the smaller one.

# %% {"concepts": ["C063", "C065"], "slug": "clinic-index-cured"}
x[pick.to(x.device)]

# %% [markdown] {"slug": "clinic-ordinal"}
# The second row of `x`, on the CPU.
#
# **Case 5.** A GPU that is not there. We name the one after the last.

# %% {"slug": "clinic-ordinal-shown"}
beyond = torch.device("cuda", torch.cuda.device_count())
try:
    torch.ones(2, device=beyond)
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-ordinal-read"}
# - `AcceleratorError`: a kind of `RuntimeError`, for what the GPU's own library reports.
# - *invalid device ordinal*: an **ordinal** is a device's index, and indices begin at 0: with
#   four GPUs the last one is `cuda:3`. Note where it was raised: not when the device was named,
#   but when a tensor was created there.
# - *run with CUDA_LOG_FILE=stderr*: with this variable in the environment, CUDA writes a log of its
#   own. Errors from inside a kernel advise `CUDA_LAUNCH_BLOCKING=1` in this place: calls only queue
#   work, so such an error may show at a later line, and with that every call waits.
#
# **Cure:** count before you choose.

# %% {"slug": "clinic-ordinal-cured"}
torch.cuda.device_count(), torch.ones(2, device=devices[-1]).device

# %% [markdown] {"slug": "clinic-string"}
# The tensor is on the last existing device.
#
# **Case 6.** Two strings that are not valid device names.

# %% {"slug": "clinic-string-shown"}
for name in ("cuda:[0,1]", "gpu"):
    try:
        torch.device(name)
    except RuntimeError as error:
        print(f"{type(error).__name__}: {error}\n")

# %% [markdown] {"slug": "clinic-string-read"}
# - *Invalid device string: 'cuda:[0,1]'*: a device string is a type, and perhaps a colon and one
#   number. A tensor lives on one device, so no string means two.
# - *Expected one of cpu, cuda, …*: the list of all types that PyTorch knows. `gpu` is not one of
#   them: NVIDIA's GPUs are `cuda`, Apple's are `mps`, Intel's are `xpu`; AMD's answer to `cuda` as
#   well.
#
# **Cure:** one string for one device, and a Python list for several.

# %% {"slug": "clinic-string-cured"}
[torch.device(name) for name in ("cuda:0", "cuda:1")]

# %% [markdown] {"slug": "recap"}
# Two devices, for two tensors.
#
# ## What you learned
#
# Three questions, without looking back. Each answer comes with its reason.

# %% {"slug": "recap-1-quiz"}
quiz("02.after.keep")

# %% {"slug": "recap-2-quiz"}
quiz("02.after.scalar")

# %% {"slug": "recap-3-quiz"}
quiz("02.after.clock")

# %% [markdown] {"slug": "recap-aloud"}
# And without choices: answer aloud, then open the answers.
#
# 1. When does `x.to(device)` return `x` itself?
# 2. Two tensors have different ids. Do they have different numbers?
# 3. Name three exceptions to the same-device rule.
# 4. Why is a move with `requires_grad=True` a trap?
# 5. What are the six steps of a measurement?
#
# <details><summary>Answers</summary>
#
# 1. When its device and dtype match already and `copy=True` is not given.
# 2. One cannot tell. `id` is about objects; shared memory shows in the storage and its device.
# 3. A 0-dimensional CPU tensor in element-wise work; a CPU index into a GPU tensor; operations
#    that copy.
# 4. The result is not a leaf, so `.grad` stays `None`. Create on the device, or move first.
# 5. Warm up, synchronize, start, run, synchronize, stop.
#
# </details>
#
# In four words: **choose** once, at the top. **Move** with `to`, and keep what it returns. **Run**
# where the inputs are; the result stays there. **Bring back** little, and late.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `02_tensors`. You will create a table without a detour, tell sharing from copying,
# repair an addition that copies too much, predict what `to` returns, mend a program that mixes
# devices, time work on a GPU and predict what a clock shows, and move the cheaper operand and whole
# batches.
#
# **Next lesson:** 03, *Modules on devices*: why `net.to(device)` works without an equals sign, and
# what it leaves behind. If it is not in your copy of the course, it is still to come.
