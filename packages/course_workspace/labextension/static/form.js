// A form on the page: its fields, the reply, and a line that says how things stand. It knows
// nothing of JupyterLab.

import { element, inline } from './elements.js';
import { FIELDS } from './fields.js';

const PATIENCE = 1000; // milliseconds without a reply before a word is said about it

let count = 0;

export class FormView {
  // answer: is given the answers by name; resolves when `show` was called with the reply, to what
  //   there is to say besides.
  // sanitize: makes the reply's HTML harmless.
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

  // A notebook's file may hold anything: what is no form of ours is not drawn.
  show(form) {
    try {
      this.update(form);
    } catch (problem) {
      console.warn(problem);
      this.body.replaceChildren();
      this.reply.replaceChildren();
      this.notice.textContent = 'This form cannot be drawn: run its cell again.';
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

  // Show what is stored, but for texts that the learner should not lose.
  restore(keeps) {
    for (const [name, field] of this.fields) {
      if (!field.written || !keeps(field)) {
        field.value = this.stored[name];
      }
    }
  }

  // One request at a time: of what changes meanwhile, the latest counts.
  async send() {
    if (this.waiting) {
      return;
    }
    this.waiting = true;
    this.reply.setAttribute('aria-busy', 'true');
    const patience = setTimeout(() => {
      this.notice.textContent = 'The kernel is busy or starting: your answer waits its turn.';
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

// What a field is, whatever it holds; the order of its keys is another one after a save.
function description({ value, ...rest }) {
  return Object.entries(rest).sort();
}
