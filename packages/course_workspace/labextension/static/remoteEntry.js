// The container that JupyterLab loads: a federated module, manually written so that Node is not
// needed to build it. JupyterLab calls `init` with its shared modules, and `get` for the plugins.

(() => {
  const name = 'on-the-right-device';
  const folder = new URL('.', document.currentScript.src);
  let shared;

  // A shared module is { version: { get } }; of a singleton, only one version is loaded.
  const take = async module => (await Object.values(shared[module])[0].get())();

  const MODULES = {
    application: '@jupyterlab/application',
    apputils: '@jupyterlab/apputils',
    components: '@jupyterlab/ui-components',
    coreutils: '@jupyterlab/coreutils',
    launcher: '@jupyterlab/launcher',
    notebook: '@jupyterlab/notebook',
    services: '@jupyterlab/services',
    widgets: '@lumino/widgets'
  };

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB[name] = {
    init: scope => {
      shared = scope;
    },
    get: async () => {
      const [{ plugin }, { course }, { tabs }, { reload }, ...modules] = await Promise.all([
        import(new URL('plugin.js', folder)),
        import(new URL('course.js', folder)),
        import(new URL('tabs.js', folder)),
        import(new URL('reload.js', folder)),
        ...Object.values(MODULES).map(take)
      ]);
      const lab = Object.fromEntries(Object.keys(MODULES).map((key, n) => [key, modules[n]]));
      const plugins = [plugin(lab.widgets.Widget), course(lab), tabs(lab), reload(lab)];
      return () => ({ __esModule: true, default: plugins });
    }
  };

  for (const sheet of ['form.css', 'start.css']) {
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = new URL(sheet, folder);
    document.head.append(style);
  }
})();
