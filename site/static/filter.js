// A search box above the errors: type or paste a part of a message, and other entries are hidden.
const page = document.querySelector("article h1").parentElement;
// An entry is a section of its own, or a line in a list of messages.
const entries = [...page.querySelectorAll(":scope > section > section, :scope > section > ul > li")];
const groups = [...page.querySelectorAll(":scope > section")];
const words = (text) => text.toLowerCase().match(/[a-z_]{2,}/g) ?? [];
const known = new Map(entries.map((entry) => [entry, new Set(words(entry.textContent))]));

page.querySelector("h1").insertAdjacentHTML("afterend", `
  <div class="filter" role="search">
    <label for="message">A part of your message</label>
    <input id="message" type="search" autocomplete="off" spellcheck="false">
    <p role="status"></p>
  </div>`);
const box = page.querySelector(".filter input");
const told = page.querySelector(".filter p");

// A long message has words that vary, such as names and shapes: one word in five may differ.
function fits(entry, asked) {
  const found = asked.filter((word, index) => {
    const begun = index === asked.length - 1;  // the last word may be half typed
    return known.get(entry).has(word)
      || (begun && [...known.get(entry)].some((each) => each.startsWith(word)));
  });
  return found.length >= (asked.length > 4 ? 0.8 * asked.length : asked.length);
}

box.addEventListener("input", () => {
  const asked = words(box.value);
  page.classList.toggle("filtered", asked.length > 0);  // without the introduction
  for (const entry of entries) entry.hidden = !fits(entry, asked);
  for (const group of groups) {
    const own = entries.filter((entry) => group.contains(entry));
    group.hidden = own.length > 0 && own.every((entry) => entry.hidden);
  }
  const shown = entries.filter((entry) => !entry.hidden).length;
  if (asked.length === 0) told.textContent = "";
  else if (shown === 0) told.textContent = "No message matches. Try fewer words.";
  else told.textContent = `${shown} of ${entries.length} errors`;
});
