# Source: what notebooks have that Python does not: magics, shell lines, help, top-level await, plots
# as last expressions; nbgrader's issue 1070, cocalc's issues 6137 and 5276.
# %% locked setup
%matplotlib inline
import matplotlib.pyplot as plt
import numpy as np
# %% solution area
def area(r):
    ### BEGIN SOLUTION
    return np.pi * r**2
    ### END SOLUTION
# %% test area_test 2
%time result = area(2)
assert round(result, 2) == 12.57
# %% test timed 1
%%timeit -n 1 -r 1
assert area(1) > 3
# %% solution wait
async def answer():
    ### BEGIN SOLUTION
    return 42
    ### END SOLUTION
# %% test waited 2
import asyncio

await asyncio.sleep(0)
assert await answer() == 42
# %% test waited_for_credit 4
await answer() / 21
# %% solution module
%%writefile mine.py
def shout(text):
    return text.upper()
# %% test module_test 2
import importlib, sys
sys.path.insert(0, "")
sys.modules.pop("mine", None)
import mine
assert mine.shout("a") == "A"
# %% test shell 1
names = !ls mine.py
assert names == ["mine.py"], names
# %% test plotted 2
plt.plot([1, 2], [area(1), area(2)])
# %% test history 1
assert any("def area" in cell for cell in In), "write a function"
assert _ is not None and get_ipython().user_ns["area"] is area
# %% test captured 1
%%capture said
print(area(0))
# %% test captured_text 1
assert float(said.stdout) == 0

# ==== right
# %% area
def area(r):
    return np.pi * r * r
area?
# %% wait
async def answer():
    await asyncio.sleep(0) if "asyncio" in globals() else None
    return 42
# %% module
%%writefile mine.py
def shout(text): return text.upper()

# ==== uses many magics
# %% area
%load_ext autoreload
%autoreload 2
%config InlineBackend.figure_format = "svg"
%matplotlib inline
def area(r):
    return np.pi * r ** 2
%timeit -n 2 -r 1 area(1)
!echo done
%pwd
# %% wait
import time
async def answer():
    return 21
# %% module
%%bash
cat > mine.py <<'END'
def shout(text):
    return text.upper()
END

# ==== plots in the answer
# %% area
def area(r):
    return 3.14 * r ** 2
plt.plot([area(x) for x in range(5)])
plt.title("areas")
# %% wait
def answer():
    return 42
# %% module
shout = lambda text: text.upper()

# ==== unknown magic
# %% area
%magic_that_nobody_has
def area(r):
    return np.pi * r ** 2
# %% wait
async def answer():
    return 42
await answer()
# %% module
%%writefile mine.py

# ==== untouched
