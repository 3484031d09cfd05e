# %% [markdown] {"slug": "title"}
# # Assignment 12: When it does not fit
#
# Short tasks about the memory of a training step: what fills it, which remedy is the cheapest, and
# how several ranks share one model. Everything you need is in [lesson
# 12](../../lessons/12_when_it_does_not_fit.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function. The cell below it
# checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too.
# - **Stuck?** `hint("fit.shard")` shows a hint, and each further call the next one.
#   `solution("fit.shard")` shows an explained solution, if your course includes solutions.
#   The buttons below a check do the same. It is normal to fail a few times. `progress()` shows how
#   far you are.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, show_run, solution

devices = lab(gpus=4)
