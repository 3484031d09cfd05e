# finding: input-changed
def given_back(snapshot, device):
    total = 0
    while snapshot:
        segment = snapshot.pop()
        free = all(block["state"] == "inactive" for block in segment["blocks"])
        if free and segment["device"] == device.index:
            total += segment["total_size"]
    return total
