# happened = "A cell kills its own process, as a lack of memory does."
# flagged = true
# %% before fix_mismatch
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
