import re

INPUT_IS_NAMED = {"mat1": True, "index": True, "mat2": False, "weight": False}


def read_module_error(message):
    sides = re.findall(r"torch\.(cuda)?\.?FloatTensor", message)
    if len(sides) == 2 and "weight type" in message:
        source, module = [side or "cpu" for side in sides]
    else:
        named = re.search(r"got (\w+) is on (\S+), .* tensors on (\S+)", message)
        if not named:
            return None
        source, module = named.group(2), named.group(3)
        if not INPUT_IS_NAMED[named.group(1)]:
            source, module = module, source
    return {"input": source, "module": module, "move": "input" if module != "cpu" else "module"}
