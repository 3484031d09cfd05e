// JupyterLab can begin a manual save (Ctrl+S) during an automatic one. If the first save is slow,
// the second finds a changed file, and asks which version to keep. Also, JupyterLab treats changes
// made during a save as saved, although they are in no file. Both are repaired here.

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
