# %% [markdown] {"slug": "utilisation"}
# ## What utilisation tells you, and what it does not · 8 min
#
# [`torch.cuda.utilization`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.utilization.html)
# and `nvidia-smi` answer one question: in which share of a short window, up to a second, did
# **any** [kernel](glossary.md#kernel) run? One small kernel after the other counts as 100 %, even
# if it leaves most of the GPU unused.

# %% {"slug": "utilisation-imports"}
from time import perf_counter

import torch
from torch import nn
from torch.utils.data import DataLoader

from course_utils import claim, lab, predict, reveal, verdict
from course_utils.experiments.datasets import Waiting
from course_utils.experiments.recording import record, utilisation_readings
from course_utils.figures import utilisation_chart

# %% [markdown] {"slug": "jump"}
# Suppose that the loader needs 2 s for a batch and the GPU 0.9 s. The loader prepares the next
# batch while the GPU computes. We read the utilisation every 0.4 s, on the modelled clock if the
# GPU is virtual.

# %% {"slug": "utilisation-lab"}
devices = lab(gpus=1)
gpu0 = devices[0]
virtual = devices.kind == "virtual"

# %% [markdown] {"slug": "jump-ask"}
# There are four batches. With a real GPU the cell takes about 10 seconds.

# %% {"slug": "jump-predict"}
predict("08.jump")

# %% {"concepts": ["C165", "C166"], "errata": ["E81"], "slug": "jump-shown"}
slow = utilisation_readings(gpu0, load=2.0, compute=0.9)
print(slow, "modelled" if virtual else "measured")
reveal("08.jump", "up and down" if max(slow) - min(slow) > 30 else f"{max(slow)} % all the time")

# %% [markdown] {"slug": "half-batch"}
# We compare two changes with that, one at a time. Half the batch: half the loading, half the
# computing, twice as many batches. And a loader that is four times as fast, with the batch as it
# was.

# %% {"slug": "half-batch-claim"}
claim("08.claim.smaller-batch")

# %% {"concepts": ["C165", "C166"], "errata": ["E91"], "slug": "half-batch-shown"}
readings = {"the loader takes 2 s, the GPU 0.9 s": slow,
            "half the batch": utilisation_readings(gpu0, load=1.0, compute=0.45, batches=8),
            "a loader 4 times as fast": utilisation_readings(gpu0, load=0.5, compute=0.9)}
display(utilisation_chart(readings, title="Readings of the utilisation, in %", modelled=virtual))
verdict("08.claim.smaller-batch")

# %% [markdown] {"slug": "half-batch-read"}
# With half the batch, work and waiting follow each other more quickly. Each window holds some of
# both, so the readings jump less, and the epoch takes nearly as long. With the fast loader the
# readings are near 100 % once the first batch is there, and the same work is done in 40 % of the
# time.
#
# A low or jumping utilisation says that the GPU waits. It does not say for what. Two rates say
# more: that of the loader alone, and that of the training alone, on a batch that is already there.
# **The slower one sets the pace.** Here a loader waits 5 ms for each item:

# %% {"concepts": ["C166"], "slug": "loader-rate"}
begun = perf_counter()
samples = sum(len(batch) for batch in DataLoader(Waiting(64, 0.005), batch_size=16))
loader_rate = samples / (perf_counter() - begun)
print(f"loader: {loader_rate:.0f} samples per s, measured")

# %% [markdown] {"slug": "training-rate"}
# And the training alone:

# %% {"concepts": ["C166"], "slug": "training-rate-shown"}
net = nn.Linear(1024, 1024).to(gpu0)
batch = torch.zeros(64, 1024, device=gpu0)
net(batch).square().mean().backward()
with record(gpu0) as training:
    for _ in range(5):
        net(batch).square().mean().backward()
training_rate = 5 * len(batch) / training.end * 1e6
print(f"training: {training_rate:.0f} samples per s, {'modelled' if virtual else 'measured'}")

# %% [markdown] {"slug": "which-side"}
# This loader is the slow side by far: workers, cheaper decoding or smaller files help (lesson 09),
# and a faster GPU does not. Do the same with your own loader and your own training step.
