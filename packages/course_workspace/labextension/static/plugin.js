// Forms in JupyterLab: which outputs are forms, and how answers get to the kernel and the file.

import { checks } from './checks.js';
import { forNotebook } from './fields.js';
import { FormView } from './form.js';
import { ask } from './kernel.js';
import { savesInTurn } from './saves.js';

const MIME = 'application/vnd.on-the-right-device.form+json';

export const plugin = Widget => ({
  id: 'on-the-right-device:forms',
  description: 'Questions, and figures with sliders, in a notebook.',
  autoStart: true,
  activate: app => {
    window.addEventListener('keydown', keepFromNotebook, true);
    app.docRegistry.addWidgetExtension('Notebook', {
      createNew: panel => {
        savesInTurn(panel.context);
        const factory = {
          safe: true, // text is never parsed as HTML, and the reply is sanitized
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

  // Get the reply from this notebook's kernel, and store answers and reply in the cell's output.
  // Resolves to a text for the notice line, such as that an answer cannot be recorded.
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
