# happened = "A cell crashes the interpreter."
# flagged = true
# %% before fix_mismatch
import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)
