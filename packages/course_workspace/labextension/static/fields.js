// The fields of a form. Each is drawn from its description, and has `node`, `value` and `written`:
// whether its value is a text that the learner types. It calls `changed` when it is answered, and
// `say` with a sentence on how to answer.

import { element, inline } from './elements.js';

export const FIELDS = new Map(Object.entries({ choice, entry, slider }));

// Whether a key in a form is for the notebook: Ctrl+S, Shift+Enter and so on.
export function forNotebook({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  return ctrlKey || metaKey || altKey || (shiftKey && key === 'Enter');
}

// Radio buttons. Arrow keys move between them without answering, so that all choices can be read.
// Space, Enter or leaving the field answers.
function choice(field, { id, question, changed, say }) {
  const buttons = field.choices.map((text, number) =>
    element('input', { type: 'radio', name: id, id: `${id}-${number}`, value: text })
  );
  const rows = buttons.map((button, number) =>
    element('label', { for: button.id }, button, element('span', {}, ...inline(field.choices[number])))
  );
  const head = element('div', { id: `${id}-label`, class: 'course-form-label' });
  head.append(...inline(field.label));
  const named = field.label ? head.id : question;
  const node = element('div', { role: 'radiogroup', 'aria-labelledby': named });
  node.append(...(field.label ? [head] : []), ...rows);

  let moving = false;
  let open = false; // chosen with the arrow keys, and not answered yet
  const answer = () => {
    open = false;
    changed();
  };
  node.addEventListener('keydown', event => {
    moving = event.key.startsWith('Arrow');
    if ((event.key !== ' ' && event.key !== 'Enter') || event.target.type !== 'radio') {
      return;
    }
    if (!forNotebook(event)) {
      event.preventDefault();
      event.target.checked = true;
      open = true;
    }
    if (open) {
      answer(); // also before Shift+Enter or Ctrl+Enter runs the cell again
    }
  });
  node.addEventListener('keyup', () => {
    moving = false;
  });
  node.addEventListener('change', () => {
    open = moving;
    if (moving) {
      say('Press Space or Enter to answer.');
    } else {
      answer();
    }
  });
  node.addEventListener('focusout', event => {
    if (open && !node.contains(event.relatedTarget)) {
      answer();
    }
  });
  return {
    node,
    written: false,
    get value() {
      return buttons.find(button => button.checked)?.value ?? null;
    },
    set value(chosen) {
      open = false;
      buttons.forEach(button => {
        button.checked = button.value === chosen;
      });
    }
  };
}

// A line of text, or a box of several lines. Enter in a line, or leaving the field, answers.
function entry(field, { id, changed }) {
  const one = field.rows === 1;
  const kind = one ? { type: 'text', autocomplete: 'off' } : { rows: field.rows };
  const input = element(one ? 'input' : 'textarea', {
    ...kind, id, maxlength: field.limit, spellcheck: 'false'
  });
  input.addEventListener('change', changed);
  input.addEventListener('keydown', event => {
    if (one && event.key === 'Enter') {
      changed();
    }
  });
  return {
    node: element('div', { class: 'course-form-row' },
      element('label', { for: id }, ...inline(field.label)), input),
    written: true,
    get value() {
      return input.value;
    },
    set value(text) {
      input.value = text;
    }
  };
}

// A number in a range. It answers while it moves.
function slider(field, { id, changed }) {
  const { lowest: min, highest: max, step, unit } = field;
  const input = element('input', { type: 'range', id, min, max, step });
  const shown = element('span', { 'aria-hidden': 'true' });
  const show = () => {
    shown.textContent = unit ? `${input.value} ${unit}` : input.value;
    input.setAttribute('aria-valuetext', shown.textContent);
  };
  input.addEventListener('input', () => {
    show();
    changed();
  });
  return {
    node: element('div', { class: 'course-form-row' },
      element('label', { for: id }, ...inline(field.label)), input, shown),
    written: false,
    get value() {
      return Number(input.value);
    },
    set value(number) {
      input.value = number;
      show();
    }
  };
}
