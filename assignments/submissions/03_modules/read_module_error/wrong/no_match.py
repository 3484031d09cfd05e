# finding: no-match-not-handled
import re


def read_module_error(message):
    if "Input type" in message:
        source, module = re.search(r"Input type \((.+?)\) and weight type \((.+?)\)", message).groups()
        source, module = ["cuda" if "cuda" in kind else "cpu" for kind in (source, module)]
    else:
        found = re.search(r"got (\w+) is on ([\w:]+), different from other tensors on ([\w:]+)", message)
        argument, own, others = found.groups()
        source, module = (own, others) if argument in ("mat1", "index") else (others, own)
    return {"input": source, "module": module, "move": "module" if module == "cpu" else "input"}
