from functools import cache


def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + len(loads) * compute

    @cache
    def loaded(n):
        own = loaded(n - workers) if n >= workers else startup
        order = taken(n - prefetch * workers) if n >= prefetch * workers else 0
        return max(own, order) + loads[n]

    @cache
    def taken(n):
        return max(loaded(n), taken(n - 1) + compute if n else 0)

    return taken(len(loads) - 1) + compute
