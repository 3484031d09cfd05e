"""Kernels for the CUDA dispatch key: the CPU computes, CUDA's rules hold."""
