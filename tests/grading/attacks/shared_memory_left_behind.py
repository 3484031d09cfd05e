# name = "Shared memory and semaphores left behind"
# goal = "next student"
# attacks = "what belongs to no process: System V and POSIX memory, queues, abstract sockets, locks"
# flagged = true
# twice = true

# %% positional
import ctypes
import socket
from multiprocessing import shared_memory

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
    def positional(n, d, device):
        position = torch.arange(n, device=device).unsqueeze(1)
        angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
        return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d)
