// JupyterLab's side of forms: which outputs they are, where an answer goes, and where it is kept.

import { checks } from './checks.js';
import { forNotebook } from './fields.js';
import { FormView } from './form.js';
import { ask } from './kernel.js';
import { savesInTurn } from './saves.js';

const MIME = 'application/vnd.on-the-right-device.form+json';

export const plugin = Widget => ({
  id: 'on-the-right-device:forms',
  description: 'Questions and moving figures that stand in a notebook.',
  autoStart: true,
  activate: app => {
    window.addEventListener('keydown', keepFromNotebook, true);
    app.docRegistry.addWidgetExtension('Notebook', {
      createNew: panel => {
        savesInTurn(panel.context);
        const factory = {
          safe: true, // text stays text, and the reply goes through the sanitizer
          mimeTypes: [MIME],
          createRenderer: options => new Renderer(Widget, options.sanitizer, panel).widget
        };
        panel.content.rendermime.addFactory(factory, 0); // before text/html
        panel.content.rendermime.addFactory(checks(Widget, panel), 0);
      }
    });
  }
});

// Without this, "d d" in a form deletes the cell. Lumino, whose shortcuts listen on the document,
// reads the attribute.
function keepFromNotebook(event) {
  if (event.target.closest?.('.course-form')) {
    event.target.toggleAttribute('data-lm-suppress-shortcuts', !forNotebook(event));
  }
}

class Renderer {
  constructor(Widget, sanitizer, panel) {
    this.panel = panel;
    this.view = new FormView(answers => this.answer(answers), html => sanitizer.sanitize(html));
    this.widget = new Widget({ node: this.view.node });
    this.widget.renderModel = async model => {
      this.model = model;
      this.view.show(model.data[MIME]);
    };
  }

  // Ask the kernel of this notebook for the reply, and keep both in the cell's output. Resolves to
  // what else the course has to say, such as that an answer cannot be recorded.
  async answer(answers) {
    const { call, key } = this.model.data[MIME];
    const given = Object.entries(answers).filter(([, value]) => value !== null);
    const request = { call, key, answers: Object.fromEntries(given) };
    const kernel = this.panel.sessionContext.session?.kernel;
    const { data, printed } = await ask(kernel, request, MIME, 'choose');
    if (!this.widget.isDisposed) {
      this.model.setData({ data });
    }
    return printed;
  }
}
