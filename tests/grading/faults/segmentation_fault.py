# happened = "A cell crashes the interpreter."
# flagged = true
# %% before add_on
import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)
