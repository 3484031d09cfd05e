import warnings

from torch.utils.data import DataLoader

WORDS = {
    "num_workers option": "num_workers",
    "timeout option": "timeout",
    "prefetch_factor option": "prefetch_factor",
    "persistent_workers option": "persistent_workers",
    "multiprocessing_context": "multiprocessing_context",
    "sampler option is mutually exclusive with shuffle": "sampler",
    "batch_sampler option": "batch_sampler",
    "drop_last": "drop_last",
}


def check_loader(settings, cpus):
    problems = ["too many workers"] if settings.get("num_workers", 0) > cpus else []
    trial = dict(settings)
    while True:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                DataLoader(range(4), **trial)
            return problems
        except ValueError as error:
            name = next(name for words, name in WORDS.items() if words in str(error))
            problems.append(name)
            trial.pop("shuffle" if name == "sampler" else name)
