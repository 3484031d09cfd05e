"""``torch.cuda`` and ``torch.accelerator``: devices, their properties, libraries and settings."""

from . import cuda_api, cudart, generators, libraries, library_settings, refusals

PARTS = (cuda_api, cudart, generators, libraries, library_settings, refusals)
