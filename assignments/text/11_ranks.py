# %% [markdown] {"slug": "title"}
# # Assignment 11: DDP from inside
#
# Short tasks about training in several processes: what the ranks exchange, when, and what happens
# if one of them does not. Everything you need is in [lesson
# 11](../../lessons/11_ddp_from_inside.ipynb) or in the task itself. The terms are in the
# [glossary](../../lessons/glossary.md). For each task, you write one function; for the first, two.
# The cell below it checks your answer.
#
# - **Checking.** `check(...)` calls your function with its own inputs and shows what it found. Run
#   it as often as you like. Grading repeats the same cases with other values, so a function that
#   solves the task passes there too. A check that needs ranks starts two
#   processes.
# - **Stuck?** `hint("ranks.start_ranks")` shows a hint, and each further call the next one.
#   `solution("ranks.start_ranks")` shows an explained solution, if your course includes solutions.
#   The buttons below a check do the same. It is normal to fail a few times. `progress()` shows how
#   far you are.
# - **Your own cells.** Add as many as you like. Do not change the task texts and the cells that
#   call `check`.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, progress, show_run, solution

devices = lab(gpus=4)
