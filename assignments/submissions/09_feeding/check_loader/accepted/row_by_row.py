def check_loader(settings, cpus):
    problems = []
    workers = settings.get("num_workers", 0)
    if workers < 0:
        problems.append("num_workers")
    if workers > cpus:
        problems.append("too many workers")
    if settings.get("timeout", 0) < 0:
        problems.append("timeout")
    factor = settings.get("prefetch_factor")
    if factor is not None:
        if workers == 0:
            problems.append("prefetch_factor")
        elif factor < 0:
            problems.append("prefetch_factor")
    if workers == 0:
        for name in ("persistent_workers", "multiprocessing_context"):
            if settings.get(name):
                problems.append(name)
    shuffle, sampler = settings.get("shuffle", False), settings.get("sampler")
    if shuffle and sampler is not None:
        problems.append("sampler")
    size, drop_last = settings.get("batch_size", 1), settings.get("drop_last", False)
    if settings.get("batch_sampler") is not None:
        if size != 1 or shuffle or sampler is not None or drop_last:
            problems.append("batch_sampler")
    elif size is None and drop_last:
        problems.append("drop_last")
    return problems
