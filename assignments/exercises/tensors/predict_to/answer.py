def predict_to(device, dtype, method, arguments):
    """Return (device, dtype, same object) of the result of x.method(**arguments).

    device, dtype: those of x, as strings such as "cuda:1" and "float32".
    """
    ### BEGIN SOLUTION
    # What the call does not name stays as it is. The same object comes back exactly if nothing
    # changes and nobody asked for a copy; `non_blocking` is about time, not about the result.
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    if method == "cpu":
        target = "cpu"
    if method == "cuda":
        target = f"cuda:{arguments.get('device', 0)}"
    if target == "cuda":
        target = "cuda:0"
    unchanged = (target, wanted) == (device, dtype)
    return target, wanted, unchanged and not arguments.get("copy", False)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# x = torch.ones(2, device=devices[1])
# y = x.to("cuda")
# print(y.device, y.dtype, y is x)
