def cuda_outcome(action, driver, pytorch, toolkit):
    """Say whether a model runs, or an extension compiles, with these versions of CUDA."""

    ### BEGIN SOLUTION
    def major(version):
        return int(version.split(".")[0])

    if pytorch is None:
        return "CPU build"
    if action == "run":
        if driver is None:
            return "no driver"
        # A driver supports everything up to its own version, and all of its major version.
        return "driver too old" if major(driver) < major(pytorch) else "runs"
    if toolkit is None:
        return "no toolkit"
    return "compiles" if major(toolkit) == major(pytorch) else "other toolkit"
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(cuda_outcome("run", "12.4", "12.6", None))
# print(cuda_outcome("compile", "12.4", "12.6", "11.8"))
