def predict_to(device, dtype, method, arguments):
    copied = arguments.get("copy", False)
    if method == "cpu":
        return "cpu", dtype, device == "cpu" and not copied
    if method == "cuda":
        target = "cuda:" + str(arguments.get("device", 0))
        return target, dtype, target == device
    if "other" in arguments:
        return (*arguments["other"], arguments["other"] == (device, dtype) and not copied)
    target = arguments.get("device", device)
    if target == "cuda":
        target += ":0"
    wanted = arguments.get("dtype", dtype)
    return target, wanted, (target, wanted, copied) == (device, dtype, False)
