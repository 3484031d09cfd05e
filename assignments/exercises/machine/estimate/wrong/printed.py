# finding: nothing-returned
def estimate(work, cpu, gpu):
    print(work["bytes"] / cpu["bandwidth"], work["bytes"] / gpu["bandwidth"])
