// A warning if a notebook is also open in another tab of this browser: each tab has its own copy,
// and only one of the two can be saved. Other browsers are not seen here.

export const tabs = lab => ({
  id: 'on-the-right-device:tabs',
  description: 'Warns that a notebook is also open in another tab of the browser.',
  autoStart: true,
  requires: [lab.notebook.INotebookTracker],
  activate: (app, tracker) => {
    const { baseUrl } = app.serviceManager.serverSettings;
    const others = new BroadcastChannel(`on-the-right-device:tabs:${baseUrl}`);
    const told = new Set();
    const isOpen = path => tracker.find(panel => panel.context.path === path) !== undefined;
    others.onmessage = ({ data: { opened, open } }) => {
      if (opened && isOpen(opened)) {
        others.postMessage({ open: opened });
      } else if (open && isOpen(open) && !told.has(open)) {
        told.add(open);
        lab.apputils.Notification.warning(sentence(open), { autoClose: false });
      }
    };
    tracker.widgetAdded.connect((_, panel) => {
      told.delete(panel.context.path);
      others.postMessage({ opened: panel.context.path });
    });
  }
});

// JupyterLab cuts a notification off after 140 characters.
const sentence = path =>
  `${path.split('/').at(-1)} is also open in another tab of this browser. Close one of the two: ` +
  'only one version can be saved.';
