"""What lesson 02 draws and tries out."""

from lesson_parts.lesson02.devices import device_map
from lesson_parts.lesson02.links import link_map
from lesson_parts.lesson02.storages import storage_map
from lesson_parts.training import learning_curve, sample_sheet
