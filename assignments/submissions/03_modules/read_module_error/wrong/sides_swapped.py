# finding: sides-swapped
import re


def read_module_error(message):
    device = r"(cpu|cuda:\d+)"
    wording = rf"got (\w+) is on {device} ?,? ?different from other tensors on {device}"
    product = re.search(wording, message)
    types = re.search(r"Input type \((.+?)\) and weight type \((.+?)\)", message)
    if product:
        argument, own, others = product.groups()
        source, module = (others, own) if argument in ('mat1', 'index') else (own, others)
    elif types:
        source, module = ('cuda' if 'cuda' in kind else 'cpu' for kind in types.groups())
    else:
        return None
    move = "module" if module == "cpu" else "input"
    return {"input": source, "module": module, "move": move}
