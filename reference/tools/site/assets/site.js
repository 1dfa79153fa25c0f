// Names and focus that the theme leaves out. The site reads the same without it.
document.querySelector("[data-md-component=search]")?.setAttribute("aria-label", "Search");
document.querySelector(".md-header__inner")?.setAttribute("aria-label", "Top");
for (const event of ["load", "resize"]) addEventListener(event, () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, pre > code"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
});

// Citations name the host where the site stands, which its source does not know.
for (const button of document.querySelectorAll("[data-relative]"))
  if (!/https?:/.test(button.dataset.clipboardText))
    button.dataset.clipboardText = button.dataset.clipboardText.replace(
      button.dataset.relative, new URL("./", location.href).href.replace(/#.*/, ""));

// Colours of JSON, without an element for each token.
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\b[0-9][0-9.eE+-]*|\b(?:true|false|null)\b/g;
if (CSS.highlights) {
  const found = { name: [], text: [], value: [] };
  for (const { firstChild: node } of document.querySelectorAll("pre > code, .cc-case > pre"))
    if (node?.nodeType === 3 && !node.nextSibling && /^\s*[[{]/.test(node.data))
      for (const token of node.data.matchAll(JSON_TOKEN)) {
        const range = new StaticRange({ startContainer: node, startOffset: token.index,
          endContainer: node, endOffset: token.index + (token[1] ?? token[0]).length });
        found[token[2] ? "name" : token[1] ? "text" : "value"].push(range);
      }
  for (const [kind, ranges] of Object.entries(found)) CSS.highlights.set(`cc-${kind}`, new Highlight(...ranges));
}
