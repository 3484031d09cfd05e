# finding: steps-lost
def timing_order(steps):
    return ["warm up", "synchronize", "start the clock", "run", "synchronize", "stop the clock"]
