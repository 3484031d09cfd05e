# finding: asked-for-ignored
def predict_to(device, dtype, method, arguments):
    new, kind = device, dtype
    if method == "cpu":
        new = "cpu"
    elif method == "cuda":
        new = f"cuda:{arguments.get('device', 0)}"
    elif "other" in arguments:
        new, kind = arguments["other"]
    else:
        new = arguments.get("device", device)
        kind = arguments.get("dtype", dtype)
    if arguments.get("non_blocking"):
        new = device
    new = "cuda:0" if new == "cuda" else new
    return new, kind, (new, kind) == (device, dtype) and not arguments.get("copy", False)
