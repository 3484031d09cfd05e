def timing_order(steps):
    waits = [step for step in steps if step == "synchronize"]
    return (
        [step for step in steps if step == "warm up"]
        + waits[:1]
        + ["start the clock"]
        + [step for step in steps if step == "run"]
        + waits[1:]
        + ["stop the clock"]
    )
