from collections import Counter


def by_line(snapshot, device, file):
    held = Counter()
    for segment in snapshot["segments"]:
        for block in segment["blocks"]:
            if segment["device"] == device and block["state"] == "active_allocated":
                line = next((f["line"] for f in block["frames"] if f["filename"] == file), None)
                held[line] += block["size"]
    return dict(held)
