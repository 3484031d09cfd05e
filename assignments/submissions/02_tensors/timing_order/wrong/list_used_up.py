# finding: input-changed
def timing_order(steps):
    steps.remove("synchronize")
    steps.remove("synchronize")
    order = ["warm up", "start the clock", "run", "stop the clock"]
    steps.sort(key=order.index)
    start = steps.index("start the clock")
    return [*steps[:start], "synchronize", *steps[start:-1], "synchronize", "stop the clock"]
