def after_to(device, dtype, arguments):
    if not arguments.get("dtype", dtype).startswith(("float", "bfloat")):
        return "TypeError"
    same = dict.fromkeys(("net", "weight", "memory", "mean", "counter"), True)
    if arguments.get("device", device) != device:
        same.update(memory=False, mean=False, counter=False)
    if arguments.get("dtype", dtype) != dtype:
        same.update(memory=False, mean=False)
    return same
