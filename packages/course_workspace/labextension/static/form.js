// A form on the page: its fields, the reply, and a notice line. Independent of JupyterLab.

import { element, inline } from './elements.js';
import { FIELDS } from './fields.js';

const PATIENCE = 1000; // milliseconds without a reply before a notice is shown

let count = 0;

export class FormView {
  // answer: called with the answers by name; resolves, after `show` was called with the reply, to a
  //   text for the notice line.
  // sanitize: returns safe HTML for the reply.
  constructor(answer, sanitize) {
    this.answer = answer;
    this.sanitize = sanitize;
    this.id = `course-form-${++count}`;
    this.fields = new Map();
    this.body = element('div');
    this.reply = element('div', { class: 'course-form-reply', 'aria-live': 'polite' });
    this.notice = element('p', { class: 'course-form-notice', role: 'status' });
    this.node = element('div', { class: 'course-form' }, this.body, this.reply, this.notice);
  }

  // A notebook's file may contain anything: an output that is not a form is not drawn.
  show(form) {
    try {
      this.update(form);
    } catch (problem) {
      console.warn(problem);
      this.body.replaceChildren();
      this.reply.replaceChildren();
      this.notice.textContent = 'This form cannot be drawn. Run its cell again.';
    }
  }

  update(form) {
    this.stored = Object.fromEntries(form.fields.map(field => [field.name, field.value]));
    const asked = JSON.stringify([form.question, form.fields.map(description)]);
    if (asked !== this.asked) {
      this.draw(form); // otherwise the elements stay, and with them the focus
      this.asked = asked;
    }
    if (!this.waiting) {
      this.restore(field => field.node.contains(document.activeElement));
      this.sent = JSON.stringify(this.stored);
    }
    this.reply.innerHTML = this.sanitize(form.reply);
    this.notice.textContent = '';
  }

  draw(form) {
    const question = `${this.id}-question`;
    this.fields = new Map(form.fields.map((field, number) => [
      field.name,
      FIELDS.get(field.type)(field, {
        id: `${this.id}-${number}`,
        question,
        changed: () => this.send(),
        say: text => {
          this.notice.textContent = text;
        }
      })
    ]));
    this.body.replaceChildren(element('fieldset', {},
      element('legend', { id: question }, ...inline(form.question)),
      ...Array.from(this.fields.values(), field => field.node)));
    this.restore(() => false);
  }

  get values() {
    return Object.fromEntries(Array.from(this.fields, ([name, field]) => [name, field.value]));
  }

  // Show the stored answers, except in text fields where `keeps` is true.
  restore(keeps) {
    for (const [name, field] of this.fields) {
      if (!field.written || !keeps(field)) {
        field.value = this.stored[name];
      }
    }
  }

  // One request at a time: of several changes during a request, the last one is sent.
  async send() {
    if (this.waiting) {
      return;
    }
    this.waiting = true;
    this.reply.setAttribute('aria-busy', 'true');
    const patience = setTimeout(() => {
      this.notice.textContent = 'The kernel is busy or starting. Your answer is waiting.';
    }, PATIENCE);
    let said = '';
    try {
      let now;
      while ((now = JSON.stringify(this.values)) !== this.sent) {
        this.sent = now;
        said = await this.answer(JSON.parse(now));
      }
    } catch (error) {
      said = error.message;
      this.sent = null;
      this.restore(() => true);
    }
    clearTimeout(patience);
    this.waiting = false;
    this.notice.textContent = said;
    this.reply.removeAttribute('aria-busy');
  }
}

// A field without its value. Sorted, since a save changes the order of the keys.
function description({ value, ...rest }) {
  return Object.entries(rest).sort();
}
