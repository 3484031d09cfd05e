# ==== a_library_that_is_not_there
# happened = "A cell imports a library that is not installed."
# %% before fix_mismatch
import seaborn_of_another_name


# ==== an_error_in_between
# happened = "A cell of the student's own ends in an error."
# %% before fix_mismatch
1 / 0


# ==== endless_loop
# happened = "A cell never ends."
# %% before fix_mismatch
count = 0
while True:
    count += 1


# ==== exit_in_between
# happened = "A cell leaves the notebook."
# %% before fix_mismatch
import sys

exit()
sys.exit(1)


# ==== gigantic_figure
# happened = "A cell draws a figure of the size of a house."
# %% before fix_mismatch
import matplotlib.pyplot as plt

plt.figure(figsize=(1000, 1000))
plt.plot([1, 2])
plt.show()


# ==== input_in_between
# happened = "A cell asks for input."
# %% before fix_mismatch
name = input("Your name: ")


# ==== magics_and_shell
# happened = "Cells use magics and the shell."
# flagged = true
# %% before fix_mismatch
%matplotlib inline
%load_ext autoreload
!pip list
files = !ls
%timeit -n 1 -r 1 sum(range(10))


# ==== out_of_memory
# happened = "A cell asks for more memory than there is."
# %% before fix_mismatch
much = bytearray(64 << 30)


# ==== prints_without_end
# happened = "A cell prints sixty megabytes, and warnings to stderr."
# %% before fix_mismatch
import sys

for _ in range(6000):
    print("x" * 10_000)
print("a warning" * 100_000, file=sys.stderr)


# ==== process_ended
# happened = "A cell ends the process, as a crash does."
# flagged = true
# %% before fix_mismatch
import os

os._exit(1)


# ==== process_killed
# happened = "A cell kills its own process, as a lack of memory does."
# flagged = true
# %% before fix_mismatch
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)


# ==== recursion
# happened = "A cell calls itself without end."
# %% before fix_mismatch
def again(n):
    return again(n + 1)


again(0)


# ==== segmentation_fault
# happened = "A cell crashes the interpreter."
# flagged = true
# %% before fix_mismatch
import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)


# ==== thread_left
# happened = "A cell leaves a thread running for ever."
# flagged = true
# %% before fix_mismatch
import threading
import time

threading.Thread(target=lambda: [time.sleep(0.1) for _ in iter(int, 1)]).start()
