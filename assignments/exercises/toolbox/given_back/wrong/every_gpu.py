# finding: other-gpus-counted
def given_back(snapshot, device):
    return sum(
        segment["total_size"]
        for segment in snapshot
        if all(block["state"] == "inactive" for block in segment["blocks"])
    )
