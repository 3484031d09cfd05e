# happened = "A cell ends the process, as a crash does."
# flagged = true
# %% before fix_mismatch
import os

os._exit(1)
