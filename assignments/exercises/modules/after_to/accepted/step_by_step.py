def after_to(device, dtype, arguments, flag):
    new_device = arguments.get("device", device)
    new_dtype = arguments.get("dtype", dtype)
    if not new_dtype.startswith(("float", "bfloat")):
        return "TypeError"
    same = dict.fromkeys(("net", "weight", "memory", "mean", "counter", "optimizer"), True)
    if new_device != device:
        same["counter"] = False
    if new_device != device or new_dtype != dtype:
        same["mean"] = same["memory"] = False
    if flag == "overwrite":
        same["weight"] = same["optimizer"] = False
    return same
