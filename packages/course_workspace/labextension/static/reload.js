// What a command wrote in a terminal, such as `course reset`, shows when one comes back to the
// notebook, as long as nothing there waits to be saved; where something does, JupyterLab asks.

const CLOCK = 500; // milliseconds by which a save's own time may be off, as JupyterLab has it

export const reload = lab => ({
  id: 'on-the-right-device:reload',
  description: 'Shows what a command changed in a notebook that is open.',
  autoStart: true,
  requires: [lab.notebook.INotebookTracker],
  activate: (app, tracker) => {
    const look = () => shown(app, tracker).catch(problem => console.warn(problem));
    app.shell.currentChanged?.connect(look);
    window.addEventListener('focus', look);
  }
});

async function shown(app, tracker) {
  const panel = tracker.currentWidget;
  if (!panel || panel !== app.shell.currentWidget || !panel.context.isReady) {
    return;
  }
  const { context } = panel;
  const there = await app.serviceManager.contents.get(context.path, { content: false });
  const known = context.contentsModel?.last_modified;
  const later = known && Date.parse(there.last_modified) > Date.parse(known) + CLOCK;
  if (later && !context.model.dirty && !context.isDisposed) {
    await context.revert();
  }
}
