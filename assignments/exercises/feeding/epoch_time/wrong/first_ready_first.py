# finding: order-lost
def epoch_time(loads, compute, workers, prefetch, startup):
    if workers == 0:
        return sum(loads) + compute * len(loads)
    queues = [[n for n in range(len(loads)) if n % workers == w] for w in range(workers)]
    ordered = prefetch * workers
    busy = [None] * workers
    now, ready, done, trained = startup, [], None, 0
    while trained < len(loads):
        if done is None and ready:
            ready.pop(0)
            ordered += 1
            done = now + compute
        for w in range(workers):
            if busy[w] is None and queues[w] and queues[w][0] < ordered:
                n = queues[w].pop(0)
                busy[w] = (now + loads[n], n)
        now = min([end for end, _ in filter(None, busy)] + ([done] if done is not None else []))
        for w in range(workers):
            if busy[w] and busy[w][0] == now:
                ready.append(busy[w][1])
                busy[w] = None
        if done == now:
            done = None
            trained += 1
    return now
