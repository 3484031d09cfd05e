def new_enough(capabilities, needed):
    def rank(major, minor):
        return int(major) * 1000 + int(minor)

    least = rank(*needed.split("."))
    return [i for i, pair in enumerate(capabilities) if not rank(*pair) < least]
