def who_gets(free, users, startup):
    """Return for each user the index of the card that the program got, or None.

    free: MiB of each card. users: pairs (looks, needs). startup: seconds from looking to taking.
    """
    ### BEGIN SOLUTION
    free, chosen, got = list(free), {}, [None] * len(users)
    # Each user stands in the list of events twice: when the program looks, and when it takes.
    events = [(looks, user) for user, (looks, _) in enumerate(users)]
    events += [(looks + startup, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        needs = users[user][1]
        if user not in chosen:
            chosen[user] = free.index(max(free))
        elif free[chosen[user]] >= needs:
            got[user] = chosen[user]
            free[chosen[user]] -= needs
    return got
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(who_gets([20, 19], [(0, 12), (3, 12)], startup=8))
# print(who_gets([20, 19], [(0, 12), (10, 12)], startup=8))
