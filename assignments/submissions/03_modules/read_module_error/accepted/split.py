def read_module_error(message):
    if "Input type" in message:
        source, module = (part.split(")")[0] for part in message.split("type (")[1:])
        source, module = ["cuda" if "cuda" in kind else "cpu" for kind in (source, module)]
    elif "different from other tensors on " in message:
        argument, rest = message.split("but got ")[1].split(" is on ")
        own = rest.split(",")[0]
        others = rest.split("other tensors on ")[1].split(" ")[0]
        source, module = (own, others) if argument in ("mat1", "index") else (others, own)
    else:
        return None
    move = "module" if module == "cpu" else "input"
    return {"input": source, "module": module, "move": move}
