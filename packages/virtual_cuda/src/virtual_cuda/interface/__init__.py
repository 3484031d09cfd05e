"""What torch's own Python finds where it asks for CUDA."""
