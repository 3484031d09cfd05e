def epoch_time(loads, compute, workers, prefetch, startup):
    if not workers:
        return sum(load + compute for load in loads)
    queues = [[n for n in range(len(loads)) if n % workers == w] for w in range(workers)]
    ordered = prefetch * workers
    busy = [None] * workers
    now, ready, taken, done, trained = startup, set(), 0, None, 0
    while trained < len(loads):
        if done is None and taken in ready:
            taken += 1
            ordered += 1
            done = now + compute
        for w in range(workers):
            if busy[w] is None and queues[w] and queues[w][0] < ordered:
                n = queues[w].pop(0)
                busy[w] = (now + loads[n], n)
        now = min([end for end, _ in filter(None, busy)] + ([done] if done is not None else []))
        for w in range(workers):
            if busy[w] and busy[w][0] == now:
                ready.add(busy[w][1])
                busy[w] = None
        if done == now:
            done = None
            trained += 1
    return now
