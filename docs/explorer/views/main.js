// Start the page: unpack the engine, then show what the address says.

import { Engine } from "../core/engine.js";
import { indexesOf } from "../core/indexes.js";
import { Machine } from "../core/machine.js";
import { unpacked } from "../core/unpack.js";
import { Address } from "./address.js";
import { Convert } from "./convert.js";
import { byId, element } from "./text.js";

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

const VIEWS = [
  ["convert", () => true],
];

async function start() {
  const [module, written] = await Promise.all([unpacked(byId("engine").textContent), unpacked(byId("data").textContent)]);
  const data = JSON.parse(new TextDecoder().decode(written));
  const engine = await Engine.load(module, data.members);
  const indexes = indexesOf(engine, data);
  const page = { engine, data, indexes, machine: new Machine(data.programs, indexes), snippets };
  const views = {};
  const make = { convert: () => new Convert(page) };
  page.address = new Address(show);

  function show(state) {
    const [name] = VIEWS.find(([, is]) => is(state));
    views[name] ??= make[name]();
    for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== name;
    const tab = name === "convert" && state.text !== undefined ? "encode" : name;
    for (const one of document.querySelectorAll("nav a")) one.toggleAttribute("aria-current", one.dataset.view === tab);
    views[name].show(state);
  }

  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) (views.convert ??= make.convert()).open(file);
  });
  show(page.address.state);
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

start();
