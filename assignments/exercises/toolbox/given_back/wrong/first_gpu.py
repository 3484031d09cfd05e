# finding: other-gpus-counted


def given_back(snapshot, device):
    total = 0
    for segment in snapshot:
        if segment["device"] == 0 and all(b["state"] == "inactive" for b in segment["blocks"]):
            total += segment["total_size"]
    return total
