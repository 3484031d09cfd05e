// The output of a check in JupyterLab: it sends clicks to the kernel, and stores the replies.

import { ActionsView } from './actions.js';
import { ask } from './kernel.js';

const MIME = 'application/vnd.on-the-right-device.check+json';
const DRAWN = ['text/markdown', 'text/html', 'text/plain'];

export function checks(Widget, panel) {
  return {
    safe: true, // everything is drawn by JupyterLab's own renderers, as untrusted
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

  // Send a click on `button` to the kernel, and store the reply in the cell's output. Resolves to a
  // text for the notice line.
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
      return 'The case is in the cell below. Press Shift+Enter to run it.';
    }
    return printed;
  }

  // Other front ends, and programs that read the file aloud, get the same text.
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

  // Insert a cell below this one, unless it exists already, and make it the active cell.
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
