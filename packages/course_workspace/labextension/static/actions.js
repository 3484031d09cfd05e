// The output of a check: the message, buttons, their replies, and a notice line. Independent of
// JupyterLab.

import { element } from './elements.js';

const PATIENCE = 1000; // milliseconds without a reply before a notice is shown

export class ActionsView {
  // act: called with a button; resolves, after `show` was called with the reply, to a text for the
  //   notice line.
  // draw: resolves to an element made of data by MIME type, which is safe for any data.
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

  // A notebook's file may contain anything: an output that is not the course's is not drawn.
  async tried(output) {
    try {
      await this.update(output);
    } catch (problem) {
      console.warn(problem);
      for (const part of [this.message, this.row, this.shown]) {
        part.replaceChildren();
      }
      this.notice.textContent = 'This output cannot be drawn. Run its cell again.';
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

  // The element of a reply, if it is new or has changed; else null.
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

  // A button keeps its element, and with it the focus, when its label changes.
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

  // One request at a time: a click during a request is ignored.
  async send(button) {
    if (this.waiting) {
      return;
    }
    this.waiting = true;
    this.notice.textContent = '';
    this.row.setAttribute('aria-busy', 'true');
    const patience = setTimeout(() => {
      this.notice.textContent = 'The kernel is busy or starting. Your click is waiting.';
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
