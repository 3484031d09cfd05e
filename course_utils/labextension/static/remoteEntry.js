// The container that JupyterLab loads: a federated module, written by hand so that no build of Node
// is needed. JupyterLab calls `init` with the modules it shares, and `get` for the plugin.

(() => {
  const name = 'on-the-right-device';
  const folder = new URL('.', document.currentScript.src);
  let shared;

  // A shared module is { version: { get } }, and only one version of a singleton is ever loaded.
  const take = async module => (await Object.values(shared[module])[0].get())();

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB[name] = {
    init: scope => {
      shared = scope;
    },
    get: async () => {
      const [{ Widget }, { plugin }] = await Promise.all([
        take('@lumino/widgets'),
        import(new URL('plugin.js', folder))
      ]);
      return () => ({ __esModule: true, default: plugin(Widget) });
    }
  };

  const style = document.createElement('link');
  style.rel = 'stylesheet';
  style.href = new URL('form.css', folder);
  document.head.append(style);
})();
