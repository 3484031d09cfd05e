def new_enough(capabilities, needed):
    point = needed.index(".")
    least_major, least_minor = int(needed[:point]), int(needed[point + 1 :])
    result = []
    for index, (major, minor) in enumerate(capabilities):
        if major > least_major or (major == least_major and minor >= least_minor):
            result.append(index)
    return tuple(result)
