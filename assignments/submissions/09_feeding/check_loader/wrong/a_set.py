# finding: not-a-list-of-texts
def check_loader(settings, cpus):
    get = settings.get
    workers, factor = get("num_workers", 0), get("prefetch_factor")
    problems = {
        "num_workers": workers < 0,
        "timeout": get("timeout", 0) < 0,
        "prefetch_factor": factor is not None and (workers == 0 or factor < 0),
        "persistent_workers": workers == 0 and get("persistent_workers"),
        "multiprocessing_context": workers == 0 and get("multiprocessing_context"),
        "too many workers": workers > cpus,
        "sampler": get("sampler") and get("shuffle"),
        "batch_sampler": get("batch_sampler")
        and (get("batch_size", 1) != 1 or get("shuffle") or get("sampler") or get("drop_last")),
        "drop_last": get("batch_size", 1) is None and get("drop_last"),
    }
    return {name for name, found in problems.items() if found}
