// What the theme leaves out, and what only a script can do. The site reads the same without it.
const every = (selector) => document.querySelectorAll(selector);
every("[data-md-component=search]").forEach((box) => box.setAttribute("aria-label", "Search"));
document.querySelector(".md-header__inner")?.setAttribute("aria-label", "Top");
for (const event of ["load", "resize"]) addEventListener(event, () => {
  for (const box of every(".md-typeset__scrollwrap, pre > code"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
});

// On a phone the menu begins with its groups, and not inside the one of the page.
if (globalThis.matchMedia?.("(max-width: 76.2344em)").matches)
  for (const box of every(".md-nav--primary > ul > li > .md-nav__toggle")) box.checked = false;

// Citations name the host where the site stands, which its source does not know.
for (const button of every("[data-relative]"))
  if (!/https?:/.test(button.dataset.clipboardText))
    button.dataset.clipboardText = button.dataset.clipboardText.replace(
      button.dataset.relative, new URL("./", location.href).href.replace(/#.*/, ""));

// A field above long lists: what does not hold the words goes.
const filtered = every(".cc-filtered tbody tr");
if (filtered.length > 0) {
  const field = Object.assign(document.createElement("input"), { type: "search", className: "cc-filter", placeholder: "Filter" });
  field.setAttribute("aria-label", "Filter the list");
  document.querySelector("h1").after(field);
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of filtered) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    for (const box of every(".cc-filtered")) box.hidden = !box.querySelector("tbody tr:not([hidden])");
  };
  field.oninput = filter;
  // What the search was asked, where a row has it.
  field.value = new URLSearchParams(location.search).get("h") ?? "";
  filter();
  if ([...filtered].every((row) => row.hidden)) field.oninput((field.value = ""));
}

// An id in the search field leads to its page, a report to its row, and so does an anchor that has moved to another page.
const there = (path) => {
  const { base } = JSON.parse(document.getElementById("__config").textContent);
  return new URL(`${base}/${path}`, location);
};
const requirement = (id) => there(`r/${id[1].toUpperCase()}-${id[2]}/`);
addEventListener("keydown", (event) => {
  const asked = event.target.value?.trim() ?? "";
  const id = asked.match(/^([a-z]{3})[- ]?([0-9]{3})$/i);
  const isReport = /^(?:[\w.-]+\/)?[\w.-]+#[0-9]+$/.test(asked);
  if (event.key !== "Enter" || !(id || isReport) || !event.target.matches("[data-md-component=search-query]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  location.assign(id ? requirement(id) : there(`incidents/software/?h=${encodeURIComponent(asked)}`));
}, true);
const anchor = location.hash?.match(/^#([a-z]{3})-([0-9]{3})$/);
if (anchor && !document.getElementById(anchor[0].slice(1))) location.replace(requirement(anchor));

// What readers paste from JSON, in words: for the search a colon is a field, and `[]` is nothing.
// What a question has beside what is asked for.
const STOP_WORDS = new Set("a an and are can do does for how i in is it my of on the this to use what when where why with".split(" "));

function asked(words) {
  const kept = words.split(/\s+/).filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  // A pasted message is asked for in texts: titles that share a word or two with it would come first.
  const long = new Set(kept.join(" ").match(/\w{3,}/g));
  if (long.size > 5) return [...long].map((word) => `text:${word}`).join(" ");
  return kept.length > 0 ? kept.join(" ") : words;
}

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message?.type === 2)
    message.data = asked(message.data.replace(/"?(\w+)"?:/g, "$1 ").replace(/\[\s*\]|\{\s*\}/g, " empty "));
  return post.call(this, message, ...rest);
};

// Beside the link to a case in its file, a button that copies the case, and the way to try it.
const cases = new URL("cases.mjs", document.currentScript?.src ?? location);
for (const link of every(".cc-get")) {
  const id = new URL(link.href).hash.slice(1);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "cc-cite" });
  const say = (text) => (button.textContent = text);
  const listed = link.closest(".cc-cases");
  const offer = listed ? "Copy" : "Copy as JSON";
  say(offer);
  button.onclick = () => {
    const text = import(cases).then(({ caseText }) => caseText(id)).then((text) => new Blob([text], { type: "text/plain" }));
    // The promise goes in whole: some browsers allow no copying once the click is over.
    Promise.resolve().then(() => navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]))
      .then(() => say("Copied"), () => say("Not copied: use the link"))
      .then(() => setTimeout(say, 3000, offer));
  };
  const tried = new URL(`../try/#case=${id}`, cases);
  const open = Object.assign(document.createElement("a"), { href: tried, textContent: listed ? "Try" : "Open in the playground" });
  link.after(listed ? "" : " \u00b7 ", button, listed ? " " : " \u00b7 ", open);
}

// Colours of code, without an element for each token. Only what comes into sight is read.
if (globalThis.CSS?.highlights) {
  const WORDS = {
    python: "and as async await break class continue def del elif else except False finally for from if import in is lambda None not or pass raise return True try while with yield",
    js: "as async await break case catch class const continue default delete else export false finally for from function if import in instanceof let new null of return static switch this throw true try typeof undefined while yield",
  };
  const string = String.raw`"(?:[^"\\\n]|\\.)*"`, number = String.raw`\b[0-9][-+.\w]*`;
  const ofCode = (comment, words) => new RegExp(
    String.raw`(?<note>${comment}.*)|(?<string>"""[^]*?"""|${string}|'(?:[^'\\\n]|\\.)*'|` + "`(?:[^`\\\\]|\\\\[^])*`" +
    String.raw`)|(?<atom>${number})|(?<name>\b(?:${words.replaceAll(" ", "|")})\b)`, "g");
  const JSON_TOKEN = new RegExp(String.raw`(?<name>${string}(?=:))|(?<string>${string})|(?<atom>-?${number}|\b(?:true|false|null)\b)`, "g");
  const TOKENS = { python: ofCode("#", WORDS.python), js: ofCode("/{2}", WORDS.js) };
  const ofBox = ({ className }) =>
    /language-py/.test(className) ? TOKENS.python : /language-(?:js|javascript|mjs|ts)\b/.test(className) ? TOKENS.js : JSON_TOKEN;
  const colours = Object.fromEntries(["name", "string", "atom", "note"].map((kind) => {
    CSS.highlights.set(`cc-${kind}`, new Highlight());
    return [kind, CSS.highlights.get(`cc-${kind}`)];
  }));
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      const node = target.firstChild;
      for (const { 0: all, groups, index } of node.data.matchAll(ofBox(target)))
        for (const [kind, text] of Object.entries(groups))
          if (text !== undefined)
            colours[kind].add(new StaticRange({ startContainer: node, startOffset: index, endContainer: node, endOffset: index + all.length }));
    }
  }, { rootMargin: "100%" });
  every("pre.cc-json, .language-json, [class*=language-py], [class*=language-js], .language-mjs, .language-ts").forEach((box) => seen.observe(box));
}
