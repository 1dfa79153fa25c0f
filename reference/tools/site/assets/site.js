// Names and focus that the theme leaves out. The site reads the same without it.
document.querySelector("[data-md-component=search]")?.setAttribute("aria-label", "Search");
document.querySelector(".md-header__inner")?.setAttribute("aria-label", "Top");
for (const event of ["load", "resize"]) addEventListener(event, () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
});
