# finding: raised-inside
def pick_device(wanted):
    if wanted == "auto":
        return torch_device("cuda")
    return torch_device(wanted)
