import re

MAIN = re.compile(r"on device (?P<wanted>\S+) \(device_ids\[0\]\) but found one of them on device: (?P<found>\S+)$")
REPLICA = re.compile(r"in replica \d+ on device (?P<gpu>\d+)\..*\n(?P<error>\w+): (?P<cause>[^\n]*)\s*$", re.S)


def read_parallel_error(message):
    replica = REPLICA.search(message)
    if replica:
        return replica.groupdict() | {"gpu": f"cuda:{replica['gpu']}"}
    main = MAIN.search(message)
    return main.groupdict() if main else None
