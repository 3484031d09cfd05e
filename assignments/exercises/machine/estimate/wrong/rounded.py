# finding: rounded
def estimate(work, cpu, gpu):
    def busy(processor):
        rate = processor["rate"] / processor["cores"] if work["chain"] else processor["rate"]
        moving, computing = work["bytes"] / processor["bandwidth"], work["operations"] / rate
        return max(moving, computing)

    copy = work["bytes"] / gpu["link"]
    on_cpu = busy(cpu) + (copy if work["data"] == "gpu" else 0)
    on_gpu = busy(gpu) + gpu["launch"] + (copy if work["data"] == "cpu" else 0)
    return round(on_cpu), round(on_gpu)
