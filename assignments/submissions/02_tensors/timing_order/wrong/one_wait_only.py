# finding: steps-lost
def timing_order(steps):
    runs = ["run"] * steps.count("run")
    warm = ["warm up"] * steps.count("warm up")
    return [*warm, "start the clock", *runs, "synchronize", "stop the clock"]
