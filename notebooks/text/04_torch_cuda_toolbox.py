# %% [markdown] {"slug": "title"}
# # The torch.cuda toolbox
#
# *On the Right Device*, lesson 04 · previous lesson: [03, *Modules on
# devices*](03_modules_on_devices.ipynb) · [Glossary](glossary.md)
#
# `torch.cuda` has more than a hundred names. A dozen of them come up again and again: they ask
# what there is, count memory, seed random numbers, and mark moments in the GPU's work. Many do less
# than their names suggest, or more, and that is where programs go wrong.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **tell** the calls that only ask from those that start CUDA;
# - **compare** compute capabilities, and say what they decide;
# - **predict** what follows the current device, and what does not;
# - **explain** what the memory allocator holds, and when it gives it back;
# - **repeat** random numbers on several GPUs, without disturbing the caller's generators;
# - **mark** moments with events, and order two streams;
# - **turn** blocks with flags into functions that leave nothing behind;
# - **read** three errors, one of which names the wrong line, and cure them.
#
# **Time:** about 1¾ hours
#
# **Prerequisites:** lessons 02 and 03.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The imports of the whole lesson:

# %% {"slug": "imports"}
import torch
from torch import nn

from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import run_child
from lesson_parts.waiting import waiting
from lesson_parts.lesson04 import answers, call_map, draw_map, event_lanes, order_lanes, segment_map
from lesson_parts.lesson04 import segments_of

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about earlier lessons. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("04.before.label")

# %% {"slug": "before-2-quiz"}
quiz("04.before.item")

# %% {"slug": "before-3-quiz"}
quiz("04.before.buffer")

# %% [markdown] {"slug": "asking"}
# ## 1. Asking, and starting · 12 min
#
# A script begins by looking around. It asks for `torch.cuda.device_count()`, then for
# `torch.cuda.current_device()`, then for `torch.cuda.is_available()`, and prints each answer at once.
# It was written on a machine with GPUs. Now it runs where no GPU can be seen.

# %% {"slug": "order-predict"}
predict("04.order")

# %% {"concepts": ["C080", "C082", "C083"], "errata": ["E35", "E36"], "slug": "order-shown"}
devices = lab(gpus=4)
gpu0, gpu1, gpu2, gpu3 = devices
calls = ["device_count()", "current_device()", "is_available()"]
script = "import torch\n" + "\n".join(f"print(torch.cuda.{call})" for call in calls)
with waiting("Starting a Python without GPUs", seconds=5):
    printed = run_child(script, CUDA_VISIBLE_DEVICES="")
print(printed)
reveal("04.order", sum(line in ("0", "True", "False") for line in printed.splitlines()))

# %% [markdown] {"slug": "order-read"}
# So ask
# [`is_available()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.is_available.html)
# or
# [`device_count()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.device_count.html)
# first: they have an answer on every machine, even with a PyTorch built for the CPU. (There the error
# of `current_device()` is an `AssertionError`: *Torch not compiled with CUDA enabled*.)
#
# PyTorch starts CUDA when it first has to. On a real GPU this takes time and some of the card's
# memory. Afterwards the process can no longer choose which GPUs it sees (lesson 05), and children
# that it forks cannot use CUDA: *Cannot re-initialize CUDA in forked subprocess* (lesson 09). So it
# helps to know which calls start it.

# %% {"slug": "starts-predict"}
predict("04.starts")

# %% {"concepts": ["C080", "C081", "C085"], "slug": "starts-shown"}
names = "is_available() device_count() memory_allocated() manual_seed(0) current_device()".split()
names += "set_device(0) get_device_name() get_device_capability()".split()
with waiting("Trying each call in a process of its own", seconds=5):
    tried = answers([f"torch.cuda.{name}" for name in names])
asked = {"manual_seed(0)", "memory_allocated()", "get_device_name()"}
starting = [one.call.removeprefix("torch.cuda.") for one in tried if one.starts]
reveal("04.starts", next(name for name in starting if name in asked))

# %% [markdown] {"slug": "starts-draw"}
# The picture shows all eight calls, each from a process of its own. After the call we asked
# `torch.cuda.is_initialized()` whether PyTorch had started CUDA, and forked a child to see whether it
# can use CUDA.

# %% {"concepts": ["C081", "C082", "C084"], "slug": "starts-drawn"}
call_map(tried, title="What torch.cuda answers, and what it starts")

# %% [markdown] {"slug": "starts-read"}
# Three things in the left column deserve a second look:
#
# - `memory_allocated()` counts the tensors of this process only. Other processes may use the same
#   GPU.
# - `manual_seed(0)` is remembered, and takes effect when CUDA starts. Without a GPU it is silently
#   ignored.
# - `is_available()` does not start CUDA in PyTorch, but by default it wakes the driver. That is
#   enough for two of the consequences above: the driver has read `CUDA_VISIBLE_DEVICES` for good, and
#   children forked later cannot use CUDA. `device_count()` asks another library, NVML, where it can,
#   and has neither effect.
#
# ## 2. What can this card do? · 6 min
#
# [`get_device_name`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.get_device_name.html)
# is for people.
# [`get_device_capability`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.get_device_capability.html)
# is for programs: it returns the [compute capability](glossary.md#compute-capability), a version
# number of the hardware, as a pair `(major, minor)`. As a rule, higher is newer.
#
# We ask three virtual cards, in a child process (about 5 seconds). Their numbers are *nominal*:
# they come from data sheets.

# %% {"slug": "faster-claim"}
claim("04.claim.faster")

# %% {"concepts": ["C081", "C085"], "slug": "faster-shown"}
program = """from torch import cuda
for i in range(cuda.device_count()):
    card = cuda.get_device_properties(i)
    print(cuda.get_device_capability(i), card.multi_processor_count, "multiprocessors,", card.name)
"""
print(run_child(program, cards=["A100", "RTX 4060 Laptop", "T4"]))
verdict("04.claim.faster")

# %% [markdown] {"slug": "pair"}
# The pair decides which instructions and data types the card has. Arithmetic in bfloat16, for
# instance, came with (8, 0), and in 8-bit floats with (8, 9). It also decides whether a build of
# PyTorch has kernels for the card (lesson 01). A program asks whether a card is at least (8, 9):

# %% {"slug": "pair-predict"}
predict("04.pair")


# %% {"concepts": ["C085"], "slug": "pair-shown"}
def has_fp8(capability):
    major, minor = capability
    return major >= 8 and minor >= 9


print("compared as pairs:", (10, 0) >= (8, 9))
reveal("04.pair", has_fp8((10, 0)))

# %% [markdown] {"slug": "current"}
# Python compares pairs as you would: the first numbers, and only if they are equal the second. So
# write `capability >= (8, 9)`.
#
# ## 3. The current device · 6 min
#
# `"cuda"` without an index means the [current device](glossary.md#current-device) of this process
# (strictly, of this thread).
# [`set_device`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.set_device.html) changes
# it until the next call. The next cell sets `cuda:1` for some work, and means to set `cuda:0` again
# at the end. In between, a file is missing. The error is caught, and the program goes on.

# %% {"slug": "left-predict"}
predict("04.left")

# %% {"concepts": ["C083", "C084"], "errata": ["E31"], "slug": "left-shown"}
try:
    torch.cuda.set_device(1)
    torch.load("missing.pt")
    torch.cuda.set_device(0)
except FileNotFoundError as error:
    print(error)
reveal("04.left", torch.ones(1, device="cuda").device)

# %% [markdown] {"slug": "left-cure"}
# The context manager
# [`torch.cuda.device`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.device.html)
# restores the previous device, whatever happens inside:

# %% {"concepts": ["C083", "C084"], "slug": "left-cured"}
torch.cuda.set_device(0)
try:
    with torch.cuda.device(1):
        torch.load("missing.pt")
except FileNotFoundError:
    print("current device:", torch.cuda.current_device())

# %% [markdown] {"slug": "follows"}
# What follows the current device, and what does not?

# %% {"concepts": ["C083", "C084"], "errata": ["E31"], "slug": "follows-shown"}
batch = torch.ones(3, device=gpu1)
with torch.cuda.device(gpu2):
    print("a new tensor on 'cuda':", torch.ones(3, device="cuda").device)
    print("a new stream:          ", torch.cuda.Stream().device)
    print("the sum of a batch:    ", batch.sum().device)

# %% [markdown] {"slug": "follows-read"}
# Whatever is made on `"cuda"` without an index follows it. So do streams and most functions of this
# lesson. `torch.ones(3)` does not: it stays on the CPU. Tensors that exist stay where they are, and
# results are made where their inputs are. PyTorch's documentation discourages `set_device`, in favour
# of `torch.cuda.device`; better still, name the device in each call. `set_device` belongs in programs
# that run one process per GPU (lesson 05).
#
# ## 4. How PyTorch keeps memory · 15 min
#
# We put a single number on a GPU that this program has not used yet.

# %% {"slug": "small-predict"}
predict("04.small")

# %% {"slug": "small-shown"}
one = torch.zeros(1, device=gpu3)
allocated, reserved = torch.cuda.memory_allocated(gpu3), torch.cuda.memory_reserved(gpu3)
free, total = torch.cuda.mem_get_info(gpu3)
print(f"allocated: {allocated} bytes, reserved: {reserved} bytes")
print(f"free: {free // 2**20} of {total // 2**20} MiB")
reveal("04.small", f"{reserved // 2**20} MiB" if reserved >= 2**20 else f"{reserved} bytes")

# %% [markdown] {"slug": "small-read"}
# (On a real card, less is free: CUDA itself, once started, takes several hundred MiB.)
#
# Asking the driver for memory is slow. So PyTorch's [memory
# allocator](glossary.md#memory-allocator) takes large **segments**, cuts **blocks** for tensors out
# of them, and keeps what becomes free. Hence three different numbers:
#
# - What do my tensors take?
#   [`memory_allocated`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.memory_allocated.html)
# - What has this process taken from the GPU for them?
#   [`memory_reserved`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.memory_reserved.html)
# - What is left on the card, whoever took the rest?
#   [`mem_get_info`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.mem_get_info.html)
#
# By default, blocks are multiples of 512 bytes. Blocks of up to 1 MiB come from segments of 2 MiB,
# and those below 10 MiB from segments of 20 MiB. A block of 10 MiB or more gets a segment of
# its own size, rounded up to a multiple of 2 MiB. (New segments are taken only where no free block is
# large enough. Blocks of up to 1 MiB are never cut from the larger segments.)
# [`memory_snapshot`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.memory_snapshot.html)
# lists segments and blocks. We make five tensors of 4 MiB, then delete all but the one in the
# middle, and take a snapshot each time:

# %% {"slug": "segments-made"}
del one
torch.cuda.empty_cache()
five = [torch.empty(2**20, device=gpu3) for _ in range(5)]
moments = {"five tensors of 4 MiB": segments_of(gpu3)}
middle = five[2]
del five
moments["one is left"] = segments_of(gpu3)

# %% [markdown] {"slug": "nine-question"}
# Now 16 MiB of the segment are free. We ask for a tensor of 9 MiB.

# %% {"slug": "nine-predict"}
predict("04.nine")

# %% {"slug": "nine-shown"}
before = torch.cuda.memory_reserved(gpu3)
nine = torch.empty(9 * 2**18, device=gpu3)
moments["and one of 9 MiB"] = segments_of(gpu3)
more = (torch.cuda.memory_reserved(gpu3) - before) // 2**20
reveal("04.nine", f"{more} MiB" if more else "nothing")

# %% [markdown] {"slug": "nine-draw"}
# The three moments, drawn from the snapshots:

# %% {"slug": "nine-drawn"}
segment_map(moments, title="A small tensor holds a large segment")

# %% [markdown] {"slug": "nine-read"}
# This is [**fragmentation**](glossary.md#fragmentation): enough is free, but no single piece is
# large enough. And
# [`empty_cache`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.empty_cache.html)
# gives back whole segments only, on every GPU:

# %% {"slug": "empty-shown"}
del nine
torch.cuda.empty_cache()
print("one small tensor left:", torch.cuda.memory_reserved(gpu3) // 2**20, "MiB reserved")
del middle
torch.cuda.empty_cache()
print("nothing left:         ", torch.cuda.memory_reserved(gpu3) // 2**20, "MiB reserved")

# %% [markdown] {"slug": "empty-read"}
# Where fragmentation hurts, try `PYTORCH_ALLOC_CONF=expandable_segments:True`, set before CUDA
# starts: segments can then grow. The name `PYTORCH_CUDA_ALLOC_CONF` works too.
#
# The next cell makes a tensor of 60 % of what is free, deletes it, and makes one of 90 %, without
# `empty_cache()` in between. Would you call it there?

# %% {"slug": "empty-claim"}
claim("04.claim.empty")

# %% {"slug": "empty-tried"}
free, _ = torch.cuda.mem_get_info(gpu3)
for share in (60, 90):  # per cent of what is free
    large = torch.empty(free * share // 100, dtype=torch.uint8, device=gpu3)
    del large  # the allocator keeps its segment
    print(f"reserved: {torch.cuda.memory_reserved(gpu3) / free:.0%}")
print("retries:", torch.cuda.memory_stats(gpu3)["num_alloc_retries"])
torch.cuda.empty_cache()
verdict("04.claim.empty")

# %% [markdown] {"slug": "seeds"}
# [`memory_stats`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.memory_stats.html)
# counts all this. A growing number of *retries* means that memory is tight: the cache had to be
# given back first. (Peaks follow in lesson 08.)
#
# ## 5. One seed, several generators · 23 min
#
# The CPU has a random [generator](glossary.md#generator), and so has every GPU. One line is
# supposed to make a program repeatable:
# [`torch.manual_seed(0)`](https://docs.pytorch.org/docs/stable/generated/torch.manual_seed.html).

# %% {"slug": "both-claim"}
claim("04.claim.both")


# %% {"concepts": ["C086", "C087"], "errata": ["E32"], "slug": "both-shown"}
def draw(device, count=5):
    return torch.rand(count, device=device).cpu()


torch.manual_seed(0)
first = {str(device): draw(device) for device in ("cpu", *devices)}
torch.manual_seed(0)
print("repeated:", {name: draw(name).equal(first[name]) for name in first})
verdict("04.claim.both")

# %% [markdown] {"slug": "same-question"}
# Each generator repeats itself. But do different generators give different numbers?

# %% {"slug": "same-claim"}
claim("04.claim.same")

# %% {"concepts": ["C087"], "slug": "same-drawn"}
some = {name: first[name] for name in ("cpu", "cuda:0", "cuda:1")}
display(draw_map(some, title="After torch.manual_seed(0): five numbers from each generator"))
verdict("04.claim.same")

# %% [markdown] {"slug": "cuda-seed"}
# On virtual GPUs, the numbers differ from a real GPU's. Which rows match does not.
#
# Equal numbers may be what you want, for instance to initialise the same weights everywhere. For
# noise, dropout or augmentation you rarely want them. So give each process a seed of its own, such
# as `seed + i` for process `i`. For several GPUs in one process, use generators of your own (below).
#
# Another function has nearly the same name:
# [`torch.cuda.manual_seed`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.manual_seed.html).

# %% {"slug": "cuda-seed-predict"}
predict("04.cuda-seed")


# %% {"concepts": ["C086", "C087"], "errata": ["E32"], "slug": "cuda-seed-shown"}
def states():
    return {"cpu": torch.get_rng_state(), **{str(d): torch.cuda.get_rng_state(d) for d in devices}}


def changed(before):
    return ", ".join(name for name, state in states().items() if not state.equal(before[name]))


before = states()
torch.cuda.manual_seed(1)
reveal("04.cuda-seed", changed(before))

# %% [markdown] {"slug": "states-read"}
# `get_rng_state` returns where a generator stands. There is `manual_seed_all` for all GPUs, and
# `torch.manual_seed` for all GPUs and the CPU. Two more functions seed at random. What do they
# return, and what does `initial_seed` mean by *initial*?

# %% {"concepts": ["C088", "C089"], "errata": ["E33", "E34"], "slug": "seed-shown"}
print("seed() returned", torch.cuda.seed(), "and seed_all()", torch.cuda.seed_all())
print("initial_seed:", torch.cuda.initial_seed())
torch.cuda.manual_seed(2)
print("initial_seed:", torch.cuda.initial_seed())

# %% [markdown] {"slug": "seed-read"}
# *Initial* is the seed that was set last. Unlike `manual_seed`, `initial_seed()` starts CUDA. `seed()`
# and `seed_all()` choose one at random and return nothing. A script that calls them after
# `manual_seed` throws its repeatability away.
#
# ### What a second run repeats
#
# A program draws five numbers on the CPU. In the next version, something draws one number before
# them: a new layer, say. The seed is the same.

# %% {"slug": "extra-predict"}
predict("04.extra")

# %% {"concepts": ["C087"], "slug": "extra-drawn"}
runs = {}
for name, extra in (("first version", False), ("one number drawn before", True)):
    torch.manual_seed(0)
    if extra:
        torch.rand(1)
    runs[name] = draw("cpu")
display(draw_map(runs, title="The same seed, with and without a draw before"))
reveal("04.extra", sum(x in runs["first version"] for x in runs["one number drawn before"]))

# %% [markdown] {"slug": "state"}
# So a seed alone does not bring you back to the middle of a run. The state does: keep what
# `get_rng_state` returns, and give it to `set_rng_state` (lesson 10 saves it in a checkpoint).
#
# **Try:** draw on `gpu0` in both places: `torch.rand(1, device=gpu0)` and `draw(gpu0)`. On a GPU,
# each of the five has a sequence of its own, and every call moves all of these on. So none of the five
# appears again.
#
# ### Leave no trace
#
# A function that calls `manual_seed` changes its caller's random numbers.
# [`fork_rng`](https://docs.pytorch.org/docs/stable/random.html) restores the states at the end of
# its block. This function is meant to leave no trace:


# %% {"concepts": ["C087"], "slug": "fork-written"}
def seeded_noise(seed):
    with torch.random.fork_rng(devices=[0]):
        torch.manual_seed(seed)
        return torch.randn(3, device=gpu0)


# %% [markdown] {"slug": "fork-ask"}
# Somebody calls `seeded_noise(5)`.

# %% {"slug": "fork-predict"}
predict("04.fork")

# %% {"concepts": ["C087"], "errata": ["E32"], "slug": "fork-shown"}
before = states()
print(seeded_noise(5))
reveal("04.fork", changed(before) or "nobody's")

# %% [markdown] {"slug": "generator"}
# Name every GPU: `devices=range(torch.cuda.device_count())`. Without `devices`, all are restored
# too, but where there are several, PyTorch warns that this can be slow.
#
# Often a generator of your own is simpler, a
# [`torch.Generator`](https://docs.pytorch.org/docs/stable/generated/torch.Generator.html). It
# belongs to one device, and the default generators do not notice it:

# %% {"concepts": ["C087"], "slug": "generator-shown"}
before = states()
own = torch.Generator(device=gpu0).manual_seed(7)
print(torch.randn(3, generator=own, device=gpu0))
print("default generators that changed:", changed(before) or "none")

# %% [markdown] {"slug": "rerun"}
# ### Is a seed enough?

# %% {"slug": "rerun-claim"}
claim("04.claim.rerun")


# %% {"concepts": ["C086"], "slug": "rerun-shown"}
def train(extra=0):
    torch.manual_seed(0)
    torch.rand(extra)
    model, batch = nn.Linear(8, 1).to(gpu0), torch.rand(64, 8, device=gpu0)
    model(batch).square().mean().backward()
    return model.weight.grad.sum().item()


print("same seed:", train(), train(), "· one draw more:", train(extra=1))
verdict("04.claim.rerun")

# %% [markdown] {"slug": "rerun-read"}
# Some GPU kernels add numbers in the order in which threads finish, so last digits vary between
# runs.
# [`use_deterministic_algorithms(True)`](https://docs.pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html)
# chooses kernels whose results do not vary, or raises an error where there is none. PyTorch's page on
# [reproducibility](https://docs.pytorch.org/docs/stable/notes/randomness.html) lists what else is
# needed.
# Virtual GPUs compute on the CPU, and cannot show such variation.
#
# ## 6. Streams and events, in brief · 16 min
#
# A [stream](glossary.md#stream) is a queue of work for one GPU. The program puts work in and goes
# on. An [event](glossary.md#event) is a mark in that queue. With `enable_timing=True`, the GPU also
# notes the time at which it passes the mark. So two events measure all the time between their marks,
# even time in which the GPU had nothing to do.

# %% {"slug": "event-shown"}
square = torch.rand(2048, 2048, device=gpu0)
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
start.record()
square @ square
end.record()
print("has the GPU passed the end?", end.query())
end.synchronize()
print(f"the product took {start.elapsed_time(end):.3f} ms on a {devices.kind} GPU")

# %% [markdown] {"slug": "event-read"}
# `record` put the marks into the current stream, and `end.synchronize()` made the program wait. On
# virtual GPUs this time is modelled: worked out from data sheets, and not measured. (On a real GPU,
# the first product in a program also pays for the start of a library. Lesson 08 shows how to time
# work properly.)
#
# So far, all work was in one stream, the default one. A GPU can copy while it computes, if the copy
# is in another stream and comes from [pinned memory](glossary.md#pinned-memory), which the GPU can
# read by itself. We need two streams, and a third one that stays idle.

# %% {"slug": "streams-setup"}
pinned = torch.rand(2048, 2048).pin_memory()
arrived = torch.empty_like(square)
a, b, idle = (torch.cuda.Stream(gpu0) for _ in range(3))


def copy():
    arrived.copy_(pinned, non_blocking=True)


# %% [markdown] {"slug": "streams-work"}
# Two helpers: `mark` puts a mark into a stream, and `run` runs some work between two marks. Inside
# `with torch.cuda.stream(s)`, `s` is the *current stream* of its GPU, and that GPU the current device.


# %% {"slug": "streams-worked"}
def mark(stream):
    return stream.record_event(torch.cuda.Event(enable_timing=True))


def run(stream, work):
    before = mark(stream)
    with torch.cuda.stream(stream):
        work()
    return before, mark(stream)


# %% [markdown] {"slug": "streams-drawing"}
# First, `a` copies, and `b` multiplies a batch that is on the GPU already. The idle stream has no
# work, so the GPU passes a mark there as soon as it is queued: its time tells how far the *program*
# is.

# %% {"slug": "streams-drawn"}
torch.cuda.synchronize(gpu0)
zero = mark(idle)
copied, product = run(a, copy), run(b, lambda: square @ square)
lanes = {"stream a": ("copy", copied), "stream b": ("product", product)}
modelled = devices.kind == "virtual"
event_lanes(zero, mark(idle), lanes, title="A copy and a product", modelled=modelled)

# %% [markdown] {"slug": "wait"}
# Within a stream, order is certain. Between streams, none is promised: here copy and product
# overlap, as they can on a real GPU. But what if `b` is to multiply what `a` copies? The program
# queues the copy in `a`, then a wait in `b`, then the product in `b`. (`copied[1]` is the mark after
# the copy.)

# %% {"slug": "wait-predict"}
predict("04.wait")

# %% {"slug": "wait-shown"}
zero, copied = mark(idle), run(a, copy)
b.wait_event(copied[1])
product, through = run(b, lambda: arrived @ arrived), mark(idle)
lanes = {"stream a": ("copy", copied), "stream b": ("product", product)}
title = "The same with b.wait_event(copied[1])"
display(event_lanes(zero, through, lanes, title=title, modelled=modelled))
later = through.elapsed_time(copied[1])  # negative, if the copy was done first
reveal("04.wait", f"{'before' if later > 0 else 'after'} the copy is done")

# %% [markdown] {"slug": "wait-read"}
# Five ways to wait. They differ in who waits, and for what:
#
# | call | who waits | for what |
# |---|---|---|
# | `stream.wait_event(event)` | later work in the stream | the work before the event |
# | `stream.wait_stream(other)` | later work in the stream | all that `other` has been given so far |
# | `event.synchronize()` | the program | the work before the event |
# | `stream.synchronize()` | the program | all that the stream has been given so far |
# | `torch.cuda.synchronize()` | the program | all streams of the current GPU |
#
# Lesson 09 copies in streams, alongside the work. Lesson 11 shows what goes wrong without a wait.
#
# ## 7. From flags to functions · 3 min
#
# In many scripts, blocks of such calls are switched on and off by hand. What a block has set stays
# set: its names and, as you saw, the current device and the generators. In the second round below, the
# size is new, and the block is off, "since the batch is there already":

# %% {"concepts": ["C090"], "errata": ["E10"], "slug": "flag-shown"}
for size, new_batch in ((3, True), (5, False)):
    if new_batch:
        torch.cuda.set_device(1)
        batch = torch.ones(size, device="cuda")
    print(f"size: {size} · sum: {batch.sum()} · next on: {torch.ones(1, device='cuda').device}")
torch.cuda.set_device(0)

# %% [markdown] {"slug": "flag-read"}
# The old batch and the old device are used, silently. In a fresh process with the block off, the same
# lines stop with a `NameError`. A function says in its parameters what it needs, and sets nothing
# for others:


# %% {"concepts": ["C090"], "errata": ["E10"], "slug": "function-shown"}
def make_batch(size, device):
    return torch.ones(size, device=device)


def total(batch):
    return batch.sum().item()


print("sum:", total(make_batch(5, gpu0)))

# %% [markdown] {"slug": "clinic"}
# ## 8. Error clinic · 9 min
#
# **Case 1.** Lesson 03 met a device-side assert. Here a table of 10 embeddings is asked for number 10,
# in a child process (about 5 seconds).

# %% {"slug": "clinic-assert-shown"}
program = """import torch
table, ids = torch.nn.Embedding(10, 4).cuda(), torch.tensor([3, 10]).cuda()
try:
    print(table(ids).sum().item())
except torch.AcceleratorError as error:
    print("error code", error.error_code, "\\n" + str(error))
"""
print(run_child(program))

# %% [markdown] {"slug": "clinic-assert-read"}
# - *error code 710* is `cudaErrorAssert`: CUDA's documentation lists it under this number and name.
# - *might be asynchronously reported at some other API call*: with a real GPU, and the three calls on
#   three lines, it could go like this:

# %% {"slug": "clinic-assert-drawn"}
order_lanes(
    {
        "program": [("table(ids)", 0, 1), ("sum()", 1, 2), ("item() waits, then raises", 2, 6)],
        "GPU": [("the lookup: its assert fails", 1, 5)],
    },
    title="The lookup fails, and a later line reports it",
)

# %% [markdown] {"slug": "clinic-assert-cure"}
# Here the traceback names `item()`. With `CUDA_LAUNCH_BLOCKING=1` in the environment, every launch
# waits for its kernel, and the traceback names `table(ids)`. (Virtual GPUs always report at once.)
#
# **Cure:** restart, since every later CUDA call of this process fails; find the line; check ids
# against the size of the table *before* they go to the GPU.
#
# **Case 2.** Noise for a tensor on the CPU, with the generator of a GPU.

# %% {"concepts": ["C087"], "slug": "clinic-generator-shown"}
try:
    torch.randn(3, generator=own)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-generator-read"}
# - *Expected a 'cpu' device type*: the call names no device, so the tensor would be on the CPU.
# - *but found 'cuda'*: this is the generator's device.
#
# **Cure:** one generator for each device, and `device=own.device` in the call.
#
# **Case 3.** A program that insists on determinism adds up weights by label.

# %% {"slug": "clinic-deterministic-shown"}
labels, weights = torch.tensor([0, 2, 2], device=gpu0), torch.rand(3, device=gpu0)
torch.use_deterministic_algorithms(True)
try:
    torch.bincount(labels, weights)
except RuntimeError as error:
    print(str(error).split(". ")[0])
finally:
    torch.use_deterministic_algorithms(False)

# %% [markdown] {"slug": "clinic-deterministic-read"}
# - *_bincount_cuda does not have a deterministic implementation*: the operation is named, and only
#   its GPU version has the problem.
#
# **Cure:** an operation that has a deterministic version, here
# `torch.zeros(3, device=gpu0).index_add(0, labels, weights)`, or the CPU. Where last digits do not
# matter, `torch.use_deterministic_algorithms(True, warn_only=True)` only warns.

# %% [markdown] {"slug": "project"}
# ## The project · 7 min
#
# Does `train.py` give the same model again, to the last bit? From now on you can ask it to, and it
# shows whether it did:

# %% {"slug": "project-changes"}
from lesson_parts import project

project.changes("04")

# %% [markdown] {"slug": "project-run"}
# The **fingerprint** is a hash of all tensors in the state dict: change one bit, and it is
# different.
#
# `use_repeatable_algorithms` does what PyTorch's page on reproducibility asks for, apart from seeds.
# cuBLAS, NVIDIA's library for matrix products, reads `CUBLAS_WORKSPACE_CONFIG` when it starts, so the
# function has to run before CUDA is used.
#
# Two runs have the same seed, and a third has another one. Compare their last lines. On virtual GPUs,
# equal fingerprints prove little: the CPU computes, and it repeats itself here anyway. This takes
# half a minute or more.

# %% {"slug": "project-runs"}
first = project.train("04", "--repeatable", gpus=1, epochs=2, out="04-first")
again = project.train("04", "--repeatable", gpus=1, epochs=2, out="04-again")
other = project.train("04", "--repeatable", "--seed", "1", gpus=1, epochs=2, out="04-other")

# %% [markdown] {"slug": "project-limits"}
# The same seed gave the same fingerprint, and another seed another one. Do not expect the *same*
# fingerprint on another kind of GPU, with another version of PyTorch, or (from lesson 07 on) with
# another number of GPUs: the batch is then split differently, and sums are added up in another
# order.

# %% [markdown] {"slug": "recap"}
# ## What you learned · 4 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("04.after.safe")

# %% {"slug": "recap-2-quiz"}
quiz("04.after.reserved")

# %% {"slug": "recap-3-quiz"}
quiz("04.after.seed")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Which call comes first in a program that may run without a GPU?
# 2. How do you ask whether a card is at least (8, 9)?
# 3. What follows the current device, and what does not?
# 4. When does `empty_cache()` give nothing back?
# 5. Which generators does `torch.manual_seed` seed, and which `torch.cuda.manual_seed`?
# 6. How do you draw noise without changing anybody's random numbers?
# 7. What does a stream wait for if nobody tells it to?
#
# <details><summary>Answers</summary>
#
# 1. `torch.cuda.is_available()`, or `device_count()`, which leaves the driver alone where it can. Many
#    others raise without a GPU.
# 2. `get_device_capability(device) >= (8, 9)`: pairs are compared as pairs.
# 3. `"cuda"` without an index, new streams, and most functions of `torch.cuda` that are given no device
#    (not `empty_cache`: it is for all GPUs). Not `torch.ones(3)`, nor tensors that exist, nor results.
# 4. When every segment still has a block in use.
# 5. Those of the CPU and of all GPUs; that of the current GPU alone.
# 6. With a `Generator` of your own, or inside `fork_rng` with every device named.
# 7. For earlier work in the same stream, and for nothing else.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`04_toolbox`](../assignments/04_toolbox/04_toolbox.ipynb). You will predict what
# events measure, mend a script of flags, and draw noise on several GPUs that repeats and leaves no
# trace.
#
# **Next lesson:** [05, *Physical and logical GPUs*](05_visible_devices.ipynb): which of the
# machine's cards is `cuda:0`, and who decides.
