// JupyterLab's side of what stands under a check: where a click goes, and where it leaves its mark.

import { ActionsView } from './actions.js';
import { ask } from './kernel.js';

const MIME = 'application/vnd.on-the-right-device.check+json';
const DRAWN = ['text/markdown', 'text/html', 'text/plain'];

export function checks(Widget, panel) {
  return {
    safe: true, // whatever is drawn goes through JupyterLab's own renderers, as untrusted
    mimeTypes: [MIME],
    createRenderer: () => new Renderer(Widget, panel).widget
  };
}

class Renderer {
  constructor(Widget, panel) {
    this.panel = panel;
    this.view = new ActionsView(button => this.act(button), data => this.draw(data));
    this.widget = new Widget({ node: this.view.node });
    this.widget.renderModel = model => {
      this.model = model;
      return this.view.show(model.data[MIME]);
    };
  }

  async draw(data) {
    const type = DRAWN.find(type => typeof data[type] === 'string');
    const renderer = this.panel.content.rendermime.createRenderer(type);
    await renderer.renderModel({ data, metadata: {}, trusted: false, setData() {} });
    return renderer.node;
  }

  // Ask the kernel for what `button` brings, and keep it in the cell's output. Resolves to what
  // else there is to say.
  async act({ call, answers }) {
    const output = this.model.data[MIME];
    const request = { call, key: output.key, answers };
    const kernel = this.panel.sessionContext.session?.kernel;
    const { data, printed } = await ask(kernel, request, MIME, 'click');
    const brought = data[MIME];
    if (brought.shown && !this.widget.isDisposed) {
      this.store(output, call, brought);
    }
    if (brought.cell) {
      this.insert(brought.cell);
      return 'The case is in the cell below: press Shift+Enter to run it.';
    }
    return printed;
  }

  // What other front ends show, and what is read aloud from the file, says the same.
  store(output, call, { button, shown }) {
    const others = output.shown.filter(({ name }) => name !== shown.name);
    const all = [...others, shown];
    const buttons = output.buttons.flatMap(
      old => (old.call === call ? (button ? [button] : []) : [old])
    );
    const texts = all.map(({ data }) => data['text/plain']);
    this.model.setData({
      data: {
        [MIME]: { ...output, buttons, shown: all },
        'text/html': output.html + texts.map(preformatted).join(''),
        'text/plain': [output.text, ...texts].join('\n\n')
      }
    });
  }

  // A new cell below this one, unless it is there already; it is made the active one.
  insert(source) {
    const { content } = this.panel;
    const here = content.widgets.findIndex(cell => cell.node.contains(this.view.node));
    const below = here + 1;
    if (content.widgets[below]?.model.sharedModel.getSource() !== source) {
      content.model.sharedModel.insertCell(below, { cell_type: 'code', source, metadata: {} });
    }
    content.deselectAll();
    content.activeCellIndex = below;
    content.mode = 'command';
    content.activate();
    content.scrollToItem(below);
  }
}

function preformatted(text) {
  const node = document.createElement('pre');
  node.style.whiteSpace = 'pre-wrap';
  node.textContent = text;
  return node.outerHTML;
}
