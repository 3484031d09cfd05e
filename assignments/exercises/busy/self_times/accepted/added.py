def self_times(x):
    # TODO: another way to solve it
    return x + x
