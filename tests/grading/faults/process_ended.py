# happened = "A cell ends the process, as a crash does."
# flagged = true
# %% before add_on
import os

os._exit(1)
