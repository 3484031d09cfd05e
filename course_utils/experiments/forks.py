"""Imported for what it registers: no garbage is collected in a forked worker of a `DataLoader`."""

import gc
import os

# An iterator of an earlier cell is copied into a forked worker. Collected there, it would raise
# "can only test a child process". So a worker does not collect it.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=gc.freeze)
