// Judgments out and in, as TREC qrels: topic, 0, document and grade, in the order of the list.

function exportText() {
  const lines = [...state.grades]
    .sort(([a], [b]) => a - b)
    .map(([place, grade]) => `${itemAt(place).topic} 0 ${itemAt(place).document} ${grade}\n`);
  return lines.join("");
}

function judgments(number) {
  return `${number} ${number === 1 ? "judgment" : "judgments"}`;
}

function exportFile() {
  if (!state.grades.size) {
    warn("There is nothing to export yet.");
    return;
  }
  const file = new Blob([exportText()], { type: "text/plain" });
  const address = URL.createObjectURL(file);
  const link = make("a", { href: address, download: `${list.name}.txt` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  announce(`${judgments(state.grades.size)} exported`);
}

/** Take the judgments of a file; those of other documents are counted and passed over. */
function importText(text) {
  const places = new Map(list.items.map((item, place) => [`${item.topic} ${item.document}`, place]));
  let [taken, passed] = [0, 0];
  for (const line of text.split("\n")) {
    const [topic, , document_, grade, ...rest] = line.trim().split(/[ \t\r\f\v]+/);
    if (!topic || topic.startsWith("#")) continue;
    const place = places.get(`${topic} ${document_}`);
    const known = /^-?\d+$/.test(grade ?? "") && GRADES.includes(Number(grade)) && !rest.length;
    if (place === undefined || !known) passed += 1;
    else {
      state.grades.set(place, Number(grade));
      taken += 1;
    }
  }
  changed();
  const lines = passed === 1 ? "1 line" : `${passed} lines`;
  warn(passed ? `${judgments(taken)} loaded; skipped ${lines} with other documents or grades.` : "");
  announce(`${judgments(taken)} loaded`);
}

async function importFile(input) {
  const [file] = input.files;
  if (file) importText(await file.text());
  input.value = "";
}

function warn(text) {
  const place = document.getElementById("warning");
  place.textContent = text;
  place.hidden = !text;
}
