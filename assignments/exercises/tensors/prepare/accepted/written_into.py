import torch


def prepare(images, mean):
    prepared = images.new_ones(len(images), images.shape[1] + 1)
    prepared[:, :-1] = images - mean.to(images.device)
    return prepared
