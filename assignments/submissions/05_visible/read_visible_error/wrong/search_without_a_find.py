# finding: other-error-read
import re


def read_visible_error(message):
    words = re.search("ordinal|device id|No CUDA|after program|driver|compiled", message).group()
    return {"ordinal": "number", "device id": "number", "No CUDA": "hidden",
            "after program": "late", "driver": "driver", "compiled": "build"}[words]
