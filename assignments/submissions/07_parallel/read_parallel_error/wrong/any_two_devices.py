# finding: other-error-read
import re


def read_parallel_error(message):
    caught = re.search(r"Caught (\w+) in replica \d+ on device (\d+)\.", message)
    if caught:
        error, number = caught.groups()
        cause = message.strip().splitlines()[-1].partition(": ")[2]
        return {"gpu": f"cuda:{number}", "error": error, "cause": cause}
    main = re.search(r"on device (\S+) \(device_ids\[0\]\) but found one of them on device: (\S+)", message)
    if main:
        return {"wanted": main.group(1), "found": main.group(2)}
    devices = re.findall(r"cuda:\d+|cpu", message)
    if len(devices) == 2:
        return {"wanted": devices[0], "found": devices[1]}
    return None
