// What stands under a check: the message, buttons, what they have brought, and a line that says how
// things stand. It knows nothing of JupyterLab.

import { element } from './elements.js';

const PATIENCE = 1000; // milliseconds without a reply before a word is said about it

export class ActionsView {
  // act: is given a button; resolves when `show` was called with what it brought, to what there is
  //   to say besides.
  // draw: makes an element of data by MIME type, harmless whatever it holds; resolves to it.
  constructor(act, draw) {
    this.act = act;
    this.draw = draw;
    this.buttons = new Map();
    this.blocks = new Map();
    this.drawn = Promise.resolve();
    this.message = element('div', { role: 'status' });
    this.row = element('div', { class: 'course-actions', role: 'group', 'aria-label': 'Help' });
    this.shown = element('div', { 'aria-live': 'polite' });
    this.notice = element('p', { class: 'course-form-notice', role: 'status' });
    this.node = element('div', { class: 'course-form' },
      this.message, this.row, this.shown, this.notice);
  }

  // One after another, since drawing takes a moment.
  show(output) {
    this.drawn = this.drawn.then(() => this.tried(output));
    return this.drawn;
  }

  // A notebook's file may hold anything: what is no output of ours is not drawn.
  async tried(output) {
    try {
      await this.update(output);
    } catch (problem) {
      console.warn(problem);
      for (const part of [this.message, this.row, this.shown]) {
        part.replaceChildren();
      }
      this.notice.textContent = 'This output cannot be drawn: run its cell again.';
    }
  }

  async update({ html, buttons, shown }) {
    if (html !== this.html) {
      this.message.replaceChildren(await this.draw({ 'text/html': text(html) }));
      this.html = html;
    }
    const focused = this.row.contains(document.activeElement);
    let latest = null;
    for (const { name, data } of shown) {
      latest = (await this.block(text(name), data)) ?? latest;
    }
    this.keep(this.blocks, shown.map(({ name }) => name));
    for (const button of buttons) {
      this.button(button);
    }
    this.keep(this.buttons, buttons.map(({ call }) => call));
    if (focused && !this.row.contains(document.activeElement)) {
      latest?.focus(); // the button that was clicked is gone
    }
  }

  // The element of something shown, if it is new or has changed.
  async block(name, data) {
    const stored = JSON.stringify(Object.entries(data).sort());
    const node = this.blocks.get(name) ?? element('div', { class: 'course-shown', tabindex: -1 });
    if (node.stored === stored) {
      return null;
    }
    node.stored = stored;
    node.replaceChildren(await this.draw(data));
    this.blocks.set(name, node);
    this.shown.append(node);
    return node;
  }

  // A button keeps its element when its label changes, and with it the focus.
  button({ call, label, answers }) {
    let node = this.buttons.get(call);
    if (!node) {
      node = element('button', { type: 'button' });
      node.addEventListener('click', () => this.send(node.asks));
      this.buttons.set(call, node);
      this.row.append(node);
    }
    node.asks = { call: text(call), label, answers };
    node.textContent = text(label);
  }

  keep(elements, names) {
    for (const [name, node] of elements) {
      if (!names.includes(name)) {
        node.remove();
        elements.delete(name);
      }
    }
  }

  // One request at a time: a click while another one waits is none.
  async send(button) {
    if (this.waiting) {
      return;
    }
    this.waiting = true;
    this.notice.textContent = '';
    this.row.setAttribute('aria-busy', 'true');
    const patience = setTimeout(() => {
      this.notice.textContent = 'The kernel is busy or starting: this waits its turn.';
    }, PATIENCE);
    let said;
    try {
      said = await this.act(button);
    } catch (error) {
      said = error.message;
    }
    clearTimeout(patience);
    this.waiting = false;
    this.row.removeAttribute('aria-busy');
    this.notice.textContent = said;
  }
}

function text(value) {
  if (typeof value !== 'string') {
    throw new TypeError('no text');
  }
  return value;
}
