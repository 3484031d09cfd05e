# %% [markdown] {"slug": "title"}
# # Assignment 01: Know your machine
#
# Short tasks about the machine and its devices: which names are devices, why PyTorch sees no GPU,
# and where new tensors are. What is not in
# [lesson 01](../../lessons/01_know_your_machine.ipynb) is in the tasks; the terms are in the
# [glossary](../../lessons/glossary.md). For each task you write one function, and the cell below it
# checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and tells you what it saw.
#   Run it as often as you like. At grading the same cases run again with other values, so a
#   function that solves the task passes there too.
# - **Stuck?** `hint("machine.fix_spread")` gives a hint, and the next one each time you ask.
#   `solution("machine.fix_spread")` shows an explained solution, where the course comes with them.
#   The buttons under a check do the same. Failing a few times is normal. `progress()` shows how
#   far you are.
# - **Devices.** The cells run with and without GPUs. On a computer with fewer than four, virtual
#   ones take their place; the first cell says which you have.
# - **Your own cells.** Add as many as you like. Leave the task texts and the cells that call
#   `check` as they are.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
