def estimate(work, cpu, gpu):
    """Return the times on the CPU and on the GPU, in µs."""

    ### BEGIN SOLUTION
    def busy(processor):
        # In a chain, one core works and the others wait.
        rate = processor["rate"] / processor["cores"] if work["chain"] else processor["rate"]
        # Both go on at the same time, so the slower one decides.
        return max(work["bytes"] / processor["bandwidth"], work["operations"] / rate)

    copy = work["bytes"] / gpu["link"]
    on_cpu = busy(cpu) + (copy if work["data"] == "gpu" else 0)
    on_gpu = busy(gpu) + gpu["launch"] + (copy if work["data"] == "cpu" else 0)
    return on_cpu, on_gpu
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# work = {"bytes": 8000, "operations": 4000, "chain": False, "data": "cpu"}
# cpu = {"bandwidth": 200, "cores": 8, "rate": 400}
# gpu = {"bandwidth": 2000, "cores": 1000, "rate": 4000, "launch": 5, "link": 100}
# print(estimate(work, cpu, gpu))
