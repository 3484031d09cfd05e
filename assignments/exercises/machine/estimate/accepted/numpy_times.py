import numpy as np


def estimate(work, cpu, gpu):
    both = (cpu, gpu)
    bandwidth = np.array([p["bandwidth"] for p in both], dtype=float)
    rate = np.array([p["rate"] / (p["cores"] if work["chain"] else 1) for p in both])
    before = np.array([0.0, gpu["launch"]])
    before[0 if work["data"] == "gpu" else 1] += work["bytes"] / gpu["link"]
    cpu_time, gpu_time = before + np.maximum(work["bytes"] / bandwidth, work["operations"] / rate)
    return cpu_time, gpu_time
