// Choose which requirements the page of the implementations shows. Without a script it shows all.
(() => {
  const contracts = [...document.querySelectorAll("details.cc-contract")];
  const rows = contracts.flatMap((contract) => [...contract.querySelectorAll("tbody tr")].map((row) => {
    const [, , level, feature, since] = [...row.cells].map((cell) => cell.textContent);
    const name = contract.firstElementChild.textContent.split(":")[0];
    return { row, contract, values: { contract: [name], level: [level], feature: [feature], "changed since": since.match(/[0-9.]+/g) } };
  }));
  const number = (version) => version.split(".").reduce((sum, part) => sum * 1000 + +part, 0);
  const chosen = {};
  const show = () => {
    const choices = Object.entries(chosen).filter(([, value]) => value);
    const fits = (values, [name, value]) => name === "changed since"
      ? values[name].some((version) => number(version) > number(value)) : values[name].includes(value);
    for (const { row, values } of rows) row.hidden = !choices.every((choice) => fits(values, choice));
    for (const contract of contracts) {
      const some = rows.some(({ row, contract: its }) => its === contract && !row.hidden);
      contract.style.display = some ? "" : "none";  // the theme shows what is merely hidden
      if (choices.length) contract.open = some;
    }
    count.value = `${rows.filter(({ row }) => !row.hidden).length} of ${rows.length} requirements`;
  };
  const [bar, count] = [document.createElement("p"), document.createElement("output")];
  bar.className = "cc-filters";
  for (const name of ["contract", "level", "feature", "changed since"]) {
    const select = document.createElement("select");
    const values = [...new Set(rows.flatMap((each) => each.values[name]))];
    // Nothing has changed since the newest version.
    if (name === "changed since") values.sort((a, b) => number(a) - number(b)).pop();
    select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
    select.onchange = () => { chosen[name] = select.value; show(); };
    const label = document.createElement("label");
    label.append(`${name} `, select);
    bar.append(label);
  }
  bar.append(count);
  show();
  contracts[0]?.before(bar);
})();
