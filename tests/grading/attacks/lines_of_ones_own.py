# name = "Lines of a report, forged"
# goal = "feedback page"
# attacks = "the lines to look at: a number of 2,000 digits, a name without end, no line at all"
# flagged = true

# %% before fix_mismatch
import json
import os
import stat


def is_socket(module, number):
    try:
        return stat.S_ISSOCK(module.fstat(number).st_mode)
    except OSError:
        return False


def say(module, *texts):
    for number in [n for n in range(3, 256) if is_socket(module, n)][1:]:
        try:
            for text in texts:
                module.write(number, text.encode())
        except OSError:
            pass


say(
    os,
    json.dumps(["move_batch", int("9" * 2000), "LEAKED", "is all right"]),
    json.dumps(["LEAKED" * 500, 1, "", ""]),
    json.dumps(["\x1b[31m\n", -7, "", "\u202e"]),
    json.dumps([{"a": 1}, 2]),
    "no JSON",
)

# %% move_batch
def move_batch(batch, device):
    return None
