# finding: input-changed
def estimate(work, cpu, gpu):
    if work["chain"]:
        for processor in (cpu, gpu):
            processor["rate"] /= processor["cores"]
    copy = work["bytes"] / gpu["link"]
    on_cpu = max(work["bytes"] / cpu["bandwidth"], work["operations"] / cpu["rate"])
    on_gpu = max(work["bytes"] / gpu["bandwidth"], work["operations"] / gpu["rate"])
    if work["data"] == "cpu":
        return on_cpu, copy + gpu["launch"] + on_gpu
    return copy + on_cpu, gpu["launch"] + on_gpu
