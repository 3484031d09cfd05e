from torch.utils.data import DataLoader, Dataset


def steady(read, count):
    """Return a loader of all images, in batches of 30."""

    ### BEGIN SOLUTION
    class Images(Dataset):
        def __len__(self):
            return count

        def __getitem__(self, index):
            return read([index])[0]

        def __getitems__(self, indices):
            # The loader calls it once for each batch, if it exists.
            return read(indices)

    # Workers that persist are started once, and not in every epoch.
    return DataLoader(Images(), batch_size=30, num_workers=2, persistent_workers=True)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# loader = steady(lambda indices: [(index, 0) for index in indices], 90)
# print([images.tolist() for images, targets in loader])
