// JupyterLab lets a save that is asked for (Ctrl+S) begin while it saves by itself. Where the first
// is slow, the second finds that the file has changed, and asks which of the two is to be kept.

export function oneSaveAtATime(context) {
  const save = context.save.bind(context);
  let last = Promise.resolve();
  context.save = () => {
    last = last.catch(() => {}).then(save);
    return last;
  };
}
