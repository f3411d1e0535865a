// Start the page: unpack the engine, then show what the address says.

import { Engine } from "../core/engine.js";
import { indexesOf } from "../core/indexes.js";
import { Machine } from "../core/machine.js";
import { unpacked } from "../core/unpack.js";
import { Address } from "./address.js";
import { Convert } from "./convert.js";
import { Tables } from "./tables.js";
import { byId, element, markCurrent } from "./text.js";
import { Unknown } from "./unknown.js";

/** Show programs for the state of the page, with buttons that copy them. */
function snippets(found) {
  byId("snippets").replaceChildren(...Object.entries(found).map(([language, code]) => {
    const copy = element("button", { type: "button", textContent: `Copy as ${language}`, data: { copy: language } });
    copy.addEventListener("click", async () => {
      await copied(code);
      byId("copied").textContent = `${language} copied`;
    });
    return element("details", { data: { language } }, element("summary", { textContent: language }), copy, element("pre", { textContent: code }));
  }));
}

// A page from a file may have no clipboard of its own.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { value: text, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** Return the view that a state of the address belongs to. */
function viewOf(state) {
  if (["table", "coverage", "compare", "dates"].some((name) => name in state)) return "tables";
  return "detect" in state || "repair" in state ? "unknown" : "convert";
}

async function start() {
  const [module, written] = await Promise.all([unpacked(byId("engine").textContent), unpacked(byId("data").textContent)]);
  const data = JSON.parse(new TextDecoder().decode(written));
  const engine = await Engine.load(module, data.members);
  const indexes = indexesOf(engine, data);
  const page = { engine, data, indexes, machine: new Machine(data.programs, indexes), snippets };
  const views = {}, make = { convert: Convert, unknown: Unknown, tables: Tables };
  let current = "convert";
  page.address = new Address(show);

  function show(state) {
    current = viewOf(state);
    views[current] ??= new make[current](page);
    for (const name of Object.keys(make)) byId(name).hidden = name !== current;
    byId("programs").hidden = current === "tables";
    const tab = current === "convert" && state.text !== undefined ? "encode" : current;
    markCurrent("header nav a", tab);
    views[current].show(state);
  }

  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    if (current === "tables") show({ label: "utf-8", bytes: "" });
    views[current].open(file);
  });
  show(page.address.state);
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

start();
