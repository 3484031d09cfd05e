# %% [markdown] {"slug": "title"}
# # Assignment 01: Know your machine
#
# Short tasks about the machine and its devices: which names are devices, why PyTorch sees no GPU,
# and on which device a new tensor is. Everything you need is in [lesson
# 01](../../lessons/01_know_your_machine.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below it
# checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too.
# - **Stuck?** `hint("machine.fix_spread")` shows a hint, and each further call the next one.
#   `solution("machine.fix_spread")` shows an explained solution, if your course includes solutions.
#   The buttons below a check do the same. It is normal to fail a few times. `progress()` shows how
#   far you are.
# - **Devices.** The cells run with and without GPUs. If your computer has fewer than four, the
#   course uses virtual GPUs. The first cell prints which GPUs you have.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
