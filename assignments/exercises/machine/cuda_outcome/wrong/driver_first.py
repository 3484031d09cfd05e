# finding: cpu-build-missed
def cuda_outcome(action, driver, pytorch, toolkit):
    def major(version):
        return int(version.split(".")[0])

    if action == "run":
        if driver is None:
            return "no driver"
        if pytorch is None:
            return "CPU build"
        return "driver too old" if major(driver) < major(pytorch) else "runs"
    if toolkit is None:
        return "no toolkit"
    if pytorch is None:
        return "CPU build"
    return "compiles" if major(toolkit) == major(pytorch) else "other toolkit"
