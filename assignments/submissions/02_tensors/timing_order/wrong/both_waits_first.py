# finding: runs-outside-the-clock
def timing_order(steps):
    runs = ["run"] * steps.count("run")
    warm = ["warm up"] * steps.count("warm up")
    return [*warm, "synchronize", "start the clock", "synchronize", *runs, "stop the clock"]
