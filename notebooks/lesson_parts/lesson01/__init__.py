"""What lesson 01 draws and tries out."""

from lesson_parts.lesson01.pictures import processors_map, work_chart
from lesson_parts.lesson01.processors import CPU, GPU, Work
from lesson_parts.lesson01.servers import on_server, python_on_server
