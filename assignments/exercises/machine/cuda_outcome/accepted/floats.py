import math


def cuda_outcome(action, driver, pytorch, toolkit):
    if not pytorch:
        return "CPU build"
    built = math.floor(float(pytorch))
    match action:
        case "run" if not driver:
            return "no driver"
        case "run":
            return "runs" if math.floor(float(driver)) >= built else "driver too old"
        case _ if not toolkit:
            return "no toolkit"
    return "compiles" if math.floor(float(toolkit)) == built else "other toolkit"
