// JupyterLab lets a save that is asked for (Ctrl+S) begin while it saves by itself. Where the first
// is slow, the second finds that the file has changed, and asks which of the two is to be kept.
// And what changes during a save counts as saved after it, though it is in no file.

export function savesInTurn(context) {
  const save = context.save.bind(context);
  let last = Promise.resolve();
  context.save = () => {
    last = last.catch(() => {}).then(() => keepingChanges(context.model, save));
    return last;
  };
}

async function keepingChanges(model, save) {
  let changed = false;
  const note = () => {
    changed = true;
  };
  model.contentChanged.connect(note);
  try {
    await save();
  } finally {
    model.contentChanged.disconnect(note);
    if (changed) {
      model.dirty = true;
    }
  }
}
