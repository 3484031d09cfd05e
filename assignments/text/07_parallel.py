# %% [markdown] {"slug": "title"}
# # Assignment 07: DataParallel
#
# Tasks about one model on several GPUs: how a batch is split, what the wrapper needs, why two ranks
# do not train like one process, and how a training step works on two GPUs. Everything you need is
# in [lesson 07](../../lessons/07_data_parallel.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below it
# checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too.
# - **Stuck?** `hint("parallel.split_sizes")` shows a hint, and each further call the next one.
#   `solution("parallel.split_sizes")` shows an explained solution, if your course includes
#   solutions. The buttons below a check do the same. It is normal to fail a few times. `progress()`
#   shows how far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, show_run, solution

devices = lab(gpus=4)
