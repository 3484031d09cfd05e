# %% as_text
# finding: other-form
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return str(held)

# %% by_name
# finding: other-form
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["name"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% every_frame
# finding: every-frame
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            for line in lines or [None]:
                held[line] = held.get(line, 0) + block["size"]
    return held

# %% in_mib
# finding: other-unit
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return {line: size / 2**20 for line, size in held.items()}

# %% line_not_begun
# finding: line-new
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] += block["size"]
    return held

# %% lines_as_text
# finding: other-form
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = str(lines[0]) if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% not_inactive
# finding: free-counted
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] == "inactive":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% whole_segments
# finding: segments-counted
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + segment["total_size"]
    return held

# %% zero_lines
# finding: empty-lines
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            used = block["size"] if block["state"] == "active_allocated" else 0
            held[line] = held.get(line, 0) + used
    return held

# %% name_ends_like_it
# finding: library-line
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"].endswith(file)]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% innermost_or_none
# finding: innermost-only
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"][:1] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% a_torch_device
# finding: nothing-counted
import torch


def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != torch.device("cuda", device):
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% returned_too_early
# finding: first-segment-only
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
        return held

# %% nought_for_none
# finding: rest-elsewhere
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else 0
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% base_name
# finding: library-line
import os


def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if os.path.basename(frame["filename"]) == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% blocks_counted
# finding: other-result
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + 1
    return held

# %% first_frame_expected
# finding: frames-missing
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0]
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% outermost_frame
# finding: caller-line
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[-1] if lines else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% rest_skipped
# finding: rest-left-out
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            if not lines:
                continue
            line = lines[0]
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% sizes_of_tensors
# finding: requested-counted
def by_line(snapshot, device, file):
    held = {}
    for segment in snapshot["segments"]:
        if segment["device"] != device:
            continue
        for block in segment["blocks"]:
            if block["state"] != "active_allocated":
                continue
            lines = [frame["line"] for frame in block["frames"] if frame["filename"] == file]
            line = lines[0] if lines else None
            held[line] = held.get(line, 0) + block["requested_size"]
    return held
