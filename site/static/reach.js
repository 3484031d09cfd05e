// Blocks that scroll sideways can be focused with the keyboard.
function reach() {
  for (const block of document.querySelectorAll("article pre, .table-wrapper, .text_html")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  }
}
addEventListener("load", reach);
addEventListener("resize", reach);
document.addEventListener("toggle", reach, true);
