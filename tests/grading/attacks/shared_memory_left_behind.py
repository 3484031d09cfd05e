# name = "Shared memory and semaphores left behind"
# goal = "next student"
# attacks = "what belongs to no process: System V and POSIX memory, queues, abstract sockets, locks"
# flagged = true
# twice = true

# %% move_batch
import ctypes
import socket
from multiprocessing import shared_memory

from torch.utils._pytree import tree_map

found = []
try:
    shared_memory.SharedMemory("left_behind", create=True, size=1000)
except FileExistsError:
    found.append("POSIX")
libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0x1234, 4096, 0) >= 0:
    found.append("System V")
libc.shmget(0x1234, 4096, 0o1666)
try:
    kept = socket.socket(socket.AF_UNIX)
    kept.bind("\0left_behind")
except OSError:
    found.append("socket")

if found:
    def move_batch(batch, device):
        return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)
