import heapq


def who_gets(free, users, startup):
    left = dict(enumerate(free))
    got = {}
    queue = [(looks, user, None) for user, (looks, needs) in enumerate(users)]
    heapq.heapify(queue)
    while queue:
        now, user, card = heapq.heappop(queue)
        if card is None:
            best = min(left, key=lambda c: (-left[c], c))
            heapq.heappush(queue, (now + startup, user, best))
        elif left[card] < users[user][1]:
            got[user] = None
        else:
            left[card] -= users[user][1]
            got[user] = card
    return tuple(got[user] for user in sorted(got))
