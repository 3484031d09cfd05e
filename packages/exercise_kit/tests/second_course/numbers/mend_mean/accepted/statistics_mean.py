import statistics


def mend_mean(numbers):
    return statistics.fmean(numbers) if numbers else None
