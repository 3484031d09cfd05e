import statistics


def fix_mean(numbers):
    return statistics.fmean(numbers) if numbers else None
