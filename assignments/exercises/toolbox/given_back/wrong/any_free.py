# finding: partly-free-counted
def given_back(snapshot, device):
    return sum(
        segment["total_size"]
        for segment in snapshot
        if segment["device"] == device.index
        and any(block["state"] == "inactive" for block in segment["blocks"])
    )
