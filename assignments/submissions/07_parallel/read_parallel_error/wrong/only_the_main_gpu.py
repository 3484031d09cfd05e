# finding: replica-missed
import re


def read_parallel_error(message):
    main = re.search(r"on device (\S+) \(device_ids\[0\]\) but found one of them on device: (\S+)", message)
    if main:
        return {"wanted": main.group(1), "found": main.group(2)}
    return None
