# %% an_own_error
# finding: a-traceback
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        raise RuntimeError("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])


# %% with_spaces
# finding: too-few
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ", ".join(uuid for *_, uuid in cards[:wanted])


# %% exit_alone
# finding: no-sentence
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit()
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])


# %% one_unknown_is_no_answer
# finding: stopped-needlessly
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    try:
        cards = [[int(row[0]), int(row[1]), row[2]] for row in rows]
    except (ValueError, IndexError):
        sys.exit("nvidia-smi has no number")
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])


# %% a_minute
# finding: no-timeout
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])


# %% indices_in_slot_order
# finding: not-by-uuid
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,index --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])


# %% helper_elsewhere
# finding: own-error
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    cards = read_rows(said)
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])

# %% all_cards
# finding: too-many
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards)

# %% least_used
# finding: other-order
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.used,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])

# %% no_timeout
# finding: no-timeout
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])

# %% not_counted
# finding: fewer-cards
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])

# %% status_ignored
# finding: status-ignored
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        answer = subprocess.run(query.split(), capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])

# %% unknown_read
# finding: raised-needlessly
import os
import subprocess
import sys


def take_cards(wanted):
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        said = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi gives no answer: {problem}")
    rows = [line.split(", ") for line in said.splitlines()]
    cards = rows
    if len(cards) < wanted:
        sys.exit("fewer cards than wanted")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])
