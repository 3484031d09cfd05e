# %% [markdown] {"slug": "title"}
# # Assignment 12: Capstone
#
# The last assignment builds one program, step by step: the notes' script repaired, an epoch without
# a needless copy, and in the end the whole. Your functions are run with no GPU, with one and with
# several, and killed on the way. Everything you need is in [lesson
# 12](../../lessons/12_capstone.ipynb) and the lessons that it points to; the terms are in the
# [glossary](../../lessons/glossary.md).
#
# - **Checking.** `check(...)` calls your function with inputs of its own and tells you what it saw.
#   Run it as often as you like. At grading the same cases run again with other values, so a
#   function that solves the task passes there too.
# - **Stuck?** `hint("capstone.fix_script")` gives a hint, and the next one each time you ask.
#   `solution("capstone.fix_script")` shows an explained solution, where the course comes with
#   them. The buttons under a check do the same. Failing a few times is normal. `progress()` shows
#   how far you are.
# - **Devices.** The cells run with and without GPUs. On a computer with fewer than four, virtual
#   ones take their place; the first cell says which you have. The checks let your function see some
#   of them only. They write into temporary folders and clean up after themselves.
# - **Your own cells.** Add as many as you like. Leave the task texts and the cells that call
#   `check` as they are.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, solution

devices = lab(gpus=4)
