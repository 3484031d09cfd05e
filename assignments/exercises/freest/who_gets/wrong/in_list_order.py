# finding: order-of-the-list
def who_gets(free, users, startup):
    taken, got = [], []
    for looks, needs in users:
        seen, then = list(free), list(free)
        for when, card, mib in taken:
            seen[card] -= mib if when < looks else 0
            then[card] -= mib if when < looks + startup else 0
        card = seen.index(max(seen))
        fits = then[card] >= needs
        got.append(card if fits else None)
        if fits:
            taken.append((looks + startup, card, needs))
    return got
