# finding: cpu-build-missed
def cuda_outcome(action, driver, pytorch, toolkit):
    def major(version):
        return int(version.split(".")[0])

    pytorch = pytorch or driver or toolkit or "11.0"
    if action == "run":
        if driver is None:
            return "no driver"
        return "driver too old" if major(driver) < major(pytorch) else "runs"
    if toolkit is None:
        return "no toolkit"
    return "compiles" if major(toolkit) == major(pytorch) else "other toolkit"
