# finding: driver-to-compile
def cuda_outcome(action, driver, pytorch, toolkit):
    def major(version):
        return int(version.split(".")[0])

    if pytorch is None:
        return "CPU build"
    if driver is None:
        return "no driver"
    if major(driver) < major(pytorch):
        return "driver too old"
    if action == "run":
        return "runs"
    if toolkit is None:
        return "no toolkit"
    return "compiles" if major(toolkit) == major(pytorch) else "other toolkit"
