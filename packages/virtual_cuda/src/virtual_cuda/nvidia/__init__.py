"""NVIDIA's own tools, for the virtual machine: nvidia-smi and NVML."""
