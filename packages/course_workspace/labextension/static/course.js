// The start page in JupyterLab: a panel that a new session opens, a button in every notebook that
// leads back to it, and a command.

import { StartView } from './start.js';

const COMMAND = 'on-the-right-device:start';
const PANEL = 'on-the-right-device-start';

// lab: the modules of JupyterLab that the plugin needs.
export const course = lab => ({
  id: 'on-the-right-device:start',
  description: 'The start page of the course.',
  autoStart: true,
  optional: [
    lab.application.ILabShell, lab.application.ILayoutRestorer, lab.apputils.ICommandPalette,
    lab.launcher.ILauncher, lab.notebook.INotebookTracker
  ],
  activate: (app, labShell, restorer, palette, launcher) => {
    const address = lab.coreutils.PageConfig.getOption('courseStart');
    if (address && labShell) { // this server has a workspace, and JupyterLab has panels
      new Start(lab, app, labShell, address).connect(restorer, palette, launcher);
    }
  }
});

class Start {
  constructor(lab, app, shell, address) {
    Object.assign(this, { lab, app, shell });
    const { baseUrl } = app.serviceManager.serverSettings;
    this.address = lab.coreutils.URLExt.join(baseUrl, address);
    this.tree = lab.coreutils.URLExt.join(baseUrl, 'lab/tree');
    const folder = lab.coreutils.PageConfig.getOption('courseFolder');
    this.folder = folder === '.' ? '' : `${folder}/`;
    this.tracker = new lab.apputils.WidgetTracker({ namespace: PANEL });
  }

  connect(restorer, palette, launcher) {
    const { app, lab, shell } = this;
    app.commands.addCommand(COMMAND, {
      label: 'Course',
      caption: 'Back to the start page of the course',
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => this.execute()
    });
    palette?.addItem({ command: COMMAND, category: 'On the Right Device' });
    launcher?.add({ command: COMMAND, category: 'On the Right Device', rank: 0 });
    restorer?.restore(this.tracker, { command: COMMAND, name: () => 'start' });
    app.docRegistry.addWidgetExtension('Notebook', {
      createNew: panel => {
        const button = new lab.components.CommandToolbarButton({
          commands: app.commands, id: COMMAND, label: 'Course'
        });
        panel.toolbar.insertItem(0, 'course', button);
        return button;
      }
    });
    shell.currentChanged.connect(() => this.refresh());
    lab.notebook.NotebookActions.executed.connect(() => this.refresh());
    window.addEventListener('focus', () => this.refresh());
    // Instead of the Launcher, which JupyterLab opens later if the main area is still empty.
    shell.restored.then(() => {
      if (shell.isEmpty('main') && !lab.coreutils.PageConfig.getOption('treePath')) {
        this.execute();
      }
    });
  }

  execute() {
    if (!this.panel || this.panel.isDisposed) {
      this.panel = this.create();
      this.tracker.add(this.panel);
    }
    if (!this.panel.isAttached) {
      this.shell.add(this.panel, 'main');
    }
    this.shell.activateById(this.panel.id);
    this.refresh();
    return this.panel;
  }

  create() {
    this.view = new StartView(
      (file, cell) => this.open(file, cell),
      file => this.lab.coreutils.URLExt.join(
        this.tree, this.lab.coreutils.URLExt.encodeParts(this.folder + file)));
    const panel = new this.lab.widgets.Widget({ node: this.view.node });
    panel.id = PANEL;
    panel.title.label = 'Course';
    panel.title.caption = 'The start page of the course';
    panel.title.closable = true;
    panel.onActivateRequest = () => this.view.node.focus();
    return panel;
  }

  async open(file, cell) {
    const widget = await this.app.commands.execute('docmanager:open', {
      path: this.folder + file,
      ...(file.endsWith('.md') ? { factory: 'Markdown Preview' } : {})
    });
    if (cell) {
      await widget.context.ready;
      await widget.revealed;
      const { content } = widget;
      content.activeCellIndex = content.widgets.findIndex(each => each.model.id === cell);
      await content.scrollToItem(content.activeCellIndex, 'start');
      await content.activeCell.ready; // cells above it that are drawn meanwhile may move it
      content.activeCell.node.scrollIntoView();
    }
  }

  // Only if the panel is visible.
  async refresh() {
    if (!this.panel?.isVisible) {
      return;
    }
    const { ServerConnection } = this.lab.services;
    try {
      const answer = await ServerConnection.makeRequest(
        this.address, {}, this.app.serviceManager.serverSettings);
      const page = await answer.json();
      if (!answer.ok) {
        throw new Error(page.message);
      }
      this.view.show(page);
    } catch (error) {
      this.view.fail(error.message);
    }
  }
}
