// The start page: the lessons, the next step, new versions. Independent of JupyterLab.

import { element, inline } from './elements.js';

const STANDINGS = {
  done: ['✓', 'done'],
  begun: ['…', 'begun'],
  new: ['○', 'not begun']
};

let count = 0;

export class StartView {
  // open: called with a file and the id of a cell in it, or null.
  // address: returns the address of a file, to open it in another browser tab.
  constructor(open, address) {
    this.open = open;
    this.address = address;
    this.id = `course-start-${++count}`;
    this.said = element('p', { role: 'status' });
    this.body = element('div');
    this.node = element('div', { class: 'course-start', tabindex: '-1' }, this.body);
  }

  // Draw `page` (course_workspace/start.py), unless it is already shown.
  show(page) {
    const drawn = JSON.stringify(page);
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    const opened = Array.from(this.body.querySelectorAll('details[open]'), node => node.dataset.key);
    const focused = this.body.contains(document.activeElement)
      ? document.activeElement.dataset.key : null;
    this.said.textContent = page.said;
    this.body.replaceChildren(
      this.head(page), ...this.news(page), this.path(page), this.help(page), this.machine(page));
    for (const node of this.body.querySelectorAll('[data-key]')) {
      node.open ||= node.tagName === 'DETAILS' && opened.includes(node.dataset.key);
      if (node.dataset.key === focused) {
        node.focus();
      }
    }
  }

  // Show the reason why there is no page.
  fail(reason) {
    this.drawn = null;
    this.body.replaceChildren(
      element('p', { role: 'alert' }, `The start page cannot be shown: ${reason}`));
  }

  head(page) {
    const { done, of } = page.passed;
    const head = element('div', {},
      element('h1', {}, page.title),
      element('p', {}, page.about),
      this.said,
      element('progress', { value: done, max: of, 'aria-label': 'Tasks and exercises passed' }));
    if (page.next) {
      const button = element('button', { type: 'button', 'data-key': 'next' }, ...inline(page.next.label));
      button.addEventListener('click', () => this.open(page.next.file, page.next.cell));
      button.disabled = !page.next.file;
      head.append(this.section('Next', 'next', button, element('p', {}, page.next.about)));
    } else {
      head.append(this.section('You have finished the course', 'finished',
        element('p', {}, ...inline(`✓ ${page.finished}`))));
    }
    return head;
  }

  news(page) {
    return page.news.length ? [this.section('New', 'news', list(page.news))] : [];
  }

  path(page) {
    return this.section('The path', 'path', element('ol', { class: 'course-start-path' },
      ...page.lessons.map(lesson => element('li', { 'data-standing': lesson.standing },
        element('h3', {},
          standing(lesson),
          ' ',
          this.link(`${lesson.number} ${lesson.title}`, lesson, `lesson-${lesson.number}`)),
        element('p', {}, ...inline(lesson.goal)),
        element('p', {}, lesson.said),
        ...this.assignment(lesson)))));
  }

  assignment({ number, assignment }) {
    const links = element('p', { class: 'course-start-links' });
    const parts = [links];
    if (assignment) {
      links.append(this.link(`Assignment ${assignment.name}`, assignment, `assignment-${number}`));
      parts.push(element('details', { 'data-key': `exercises-${number}` },
        element('summary', {}, assignment.said),
        element('ul', {}, ...assignment.exercises.map((exercise, place) => element('li', {},
          standing(exercise), ' ',
          this.link(exercise.title, exercise, `exercise-${number}-${place}`),
          ` (${exercise.said})`)))));
    }
    return parts;
  }

  help(page) {
    return this.section('Look it up', 'help', element('ul', {},
      ...page.pages.map((each, place) => element('li', {},
        this.link(each.title, each, `page-${place}`)))));
  }

  machine(page) {
    return this.section('Your machine', 'machine', element('dl', {},
      ...page.machine.flatMap(([name, text]) => [
        element('dt', {}, name), element('dd', {}, text)])));
  }

  section(title, name, ...content) {
    const id = `${this.id}-${name}`;
    return element('section', { 'aria-labelledby': id },
      element('h2', { id }, title), ...content);
  }

  // A link, or plain text if the file was deleted; the next `course lab` restores it.
  link(text, { file, cell = null }, key) {
    if (!file) {
      return element('span', {}, ...inline(`${text} (missing)`));
    }
    const link = element('a', { href: this.address(file), 'data-key': key }, ...inline(text));
    link.addEventListener('click', event => {
      if (!(event.ctrlKey || event.metaKey || event.shiftKey)) {
        event.preventDefault();
        this.open(file, cell);
      }
    });
    return link;
  }
}

// A mark for the eye, and a word for screen readers.
function standing(entry) {
  const [mark, word] = STANDINGS[entry.standing];
  return element('span', { class: 'course-start-mark', role: 'img', 'aria-label': word, title: word },
    mark);
}

function list(texts) {
  return element('ul', {}, ...texts.map(text => element('li', {}, ...inline(text))));
}
