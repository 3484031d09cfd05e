# name = "Hidden cases printed"
# goal = "steal"
# attacks = "every way out of a process: print, logging, warnings, display, files, descriptors"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
import logging
import os
import sys
import warnings

from IPython.display import HTML, display


def split_sizes(shape, gpus, dim):
    text = f"LEAKED {shape} {gpus} {dim}"
    print(text)
    print(text, file=sys.__stderr__, flush=True)
    logging.error(text)
    warnings.warn(text)
    display(HTML(text))
    for descriptor in range(3):
        try:
            os.write(descriptor, text.encode())
        except OSError:
            pass
    for name in ("LEAKED.txt", "/tmp/LEAKED.txt", "../LEAKED.txt", "/dev/shm/LEAKED",
                 "/var/tmp/LEAKED", "feedback.html"):
        try:
            with open(name, "a") as file:
                file.write(text)
        except OSError:
            pass
    get_ipython().user_ns["Out"] = {1: text}
    return [0]
