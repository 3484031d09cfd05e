# finding: main-gpu-missed
import re


def read_parallel_error(message):
    caught = re.search(r"Caught (\w+) in replica \d+ on device (\d+)\.", message)
    if caught:
        error, number = caught.groups()
        cause = message.strip().splitlines()[-1].partition(": ")[2]
        return {"gpu": f"cuda:{number}", "error": error, "cause": cause}
    return None
