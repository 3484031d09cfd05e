def self_times(x):
    # TODO: a third way
    return x * 2
