# finding: other-error-read
def read_visible_error(message):
    causes = {
        "CUDA_LAUNCH_BLOCKING": "number",
        "TORCH_USE_CUDA_DSA": "number",
        "Invalid device id": "number",
        "No CUDA GPUs are available": "hidden",
        "CUDA_VISIBLE_DEVICES after program start": "late",
        "no NVIDIA driver": "driver",
        "not compiled with CUDA": "build",
    }
    for words, cause in causes.items():
        if words in message:
            return cause
    return None
