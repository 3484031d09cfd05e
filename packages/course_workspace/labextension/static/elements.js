// Elements of the page from plain data: text is never parsed as HTML.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// A sentence with `code` between backticks (course_utils/inline.py does the same in HTML).
export function inline(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(/(`+)(.+?)\1(?!`)/g)) {
    parts.push(text.slice(end, match.index), element('code', {}, match[2]));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
