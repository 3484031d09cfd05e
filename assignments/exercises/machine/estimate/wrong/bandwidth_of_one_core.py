# finding: bandwidth-shared
def estimate(work, cpu, gpu):
    def busy(processor):
        waiting = processor["cores"] if work["chain"] else 1
        moving = work["bytes"] / processor["bandwidth"]
        computing = work["operations"] / processor["rate"]
        return max(moving, computing) * waiting

    copy = work["bytes"] / gpu["link"]
    on_cpu = busy(cpu) + (copy if work["data"] == "gpu" else 0)
    on_gpu = busy(gpu) + gpu["launch"] + (copy if work["data"] == "cpu" else 0)
    return on_cpu, on_gpu
