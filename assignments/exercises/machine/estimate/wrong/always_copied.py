# finding: copy-not-needed
def estimate(work, cpu, gpu):
    def busy(processor):
        rate = processor["rate"] / processor["cores"] if work["chain"] else processor["rate"]
        moving, computing = work["bytes"] / processor["bandwidth"], work["operations"] / rate
        return max(moving, computing)

    copy = work["bytes"] / gpu["link"]
    on_cpu = busy(cpu)
    on_gpu = busy(gpu) + gpu["launch"] + copy
    return on_cpu, on_gpu
