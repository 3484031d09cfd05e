"""Kernels for the CUDA dispatch key: the CPU computes, with CUDA's rules."""
