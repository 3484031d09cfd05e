# %% a_list_first
def by_line(snapshot, device, file):
    def line_of(block):
        for frame in block["frames"]:
            if frame["filename"] == file:
                return frame["line"]

    blocks = [
        block
        for segment in snapshot["segments"]
        if segment["device"] == device
        for block in segment["blocks"]
        if block["state"] == "active_allocated"
    ]
    lines = {line_of(block) for block in blocks}
    return {line: sum(b["size"] for b in blocks if line_of(b) == line) for line in lines}

# %% counted
from collections import Counter


def by_line(snapshot, device, file):
    held = Counter()
    for segment in snapshot["segments"]:
        for block in segment["blocks"]:
            if segment["device"] == device and block["state"] == "active_allocated":
                lines = (frame["line"] for frame in block["frames"] if frame["filename"] == file)
                held[next(lines, None)] += block["size"]
    return held
