# finding: largest-free-line
def free_mib(text):
    cards = []
    for line in text.splitlines():
        if line.startswith("GPU "):
            cards.append([])
        if line.partition(":")[0].strip() == "Free" and "N/A" not in line:
            cards[-1].append(int(line.split()[-2]))
    return [max(card) for card in cards]
