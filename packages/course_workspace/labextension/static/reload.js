// A notebook that a command such as `course reset` has changed is reloaded when the learner comes
// back to its tab, unless the tab has unsaved changes; then JupyterLab asks.

const CLOCK = 500; // milliseconds: tolerance of the time of a save, as in JupyterLab

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
