# finding: other-times
def estimate(work, cpu, gpu):
    def busy(processor):
        rate = processor["rate"] / processor["cores"] if work["chain"] else processor["rate"]
        return max(work["bytes"] / processor["bandwidth"], work["operations"] / rate)

    copy = work["bytes"] / gpu["link"]
    on_cpu = busy(cpu) + (copy if work["data"] == "gpu" else 0)
    on_gpu = busy(gpu) + gpu["launch"] + (copy if work["data"] == "cpu" else 0) + copy
    return on_cpu, on_gpu
