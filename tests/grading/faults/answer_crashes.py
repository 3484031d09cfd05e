# happened = "An answer ends its process: nobody can tell whether it is at fault."
# flagged = true
# points = {add_on = "held"}
# says = ["the process of the answer ended"]
# %% add_on
import os


def add_on(a, b, where):
    os._exit(3)
