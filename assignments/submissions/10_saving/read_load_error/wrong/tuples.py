# finding: wrong-form
def read_load_error(message):
    if "deserialize" in message:
        return "no GPU", "cuda", "map_location"
    return None
