# finding: still-a-text
def mend_mean(numbers):
    total = ""
    for number in numbers:
        total += number
    return total
