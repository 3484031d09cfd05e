# finding: wrapping
def read_visible_error(message):
    causes = {
        "invalid device ordinal": "number",
        "Invalid device id": "number",
        "No CUDA GPUs are available": "hidden",
        "CUDA_VISIBLE_DEVICES after program start": "late",
        "no NVIDIA driver": "driver",
        "not compiled with CUDA": "build",
    }
    for words, cause in causes.items():
        if message.startswith((words, "CUDA error: " + words, "cuda runtime error (10) : " + words, "cuda runtime error (101) : " + words, "Found " + words, "Torch " + words)) or (cause == "late" and words in message):
            return cause
    return None
