def who_gets(free, users, startup):
    moments = sorted({looks for looks, _ in users} | {looks + startup for looks, _ in users})
    left = list(free)
    chosen, got = {}, {}
    for now in moments:
        for user, (looks, needs) in enumerate(users):
            if looks == now:
                chosen[user] = max(range(len(left)), key=lambda card: left[card])
            if looks + startup == now:
                card = chosen[user]
                got[user] = card if left[card] >= needs else None
                if got[user] is not None:
                    left[card] = left[card] - needs
    return [got[user] for user in range(len(users))]
