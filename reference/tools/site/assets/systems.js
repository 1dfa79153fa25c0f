// Show what a case expects beside what the system answered. Without a script the report and the page of the case do.
(() => {
  const [name] = location.pathname.match(/[^/]+(?=\/$)/) ?? [];
  let report;
  const cases = new URL("cases.mjs", document.currentScript.src);
  const member = (path, value) => path.split("/").reduce(
    (found, step) => step === "*" ? found.flat() : found.map((each) => each?.[step]).filter((each) => each !== undefined), [value]);
  const show = async (button) => {
    report ??= fetch(`../${name}.json`).then((answer) => answer.json());
    const { caseText } = await import(cases);
    const one = JSON.parse(await caseText(button.dataset.case));
    const { system, others } = await report;
    const { members } = Object.entries(system.operations).find(([operation]) => button.dataset.case.startsWith(`${operation}.`))[1];
    const compared = (result) => Object.fromEntries(members.map((path) => [path, member(path, result)]));
    const box = document.createElement("pre");
    box.className = "cc-answer";
    for (const [what, value] of [["input", one.input ?? one.input_json], ["expected", compared(one.expect.result)], ["answered", compared(others[button.dataset.case].answer)]]) {
      box.append(`${what.padEnd(8)} ${JSON.stringify(value)}\n`);
    }
    button.replaceWith(box);
  };
  for (const button of document.querySelectorAll(".cc-answer")) {
    button.hidden = false;
    button.onclick = () => show(button);
  }
})();
