// Start the page: unpack the engine, then show what the address says.

import { Engine } from "../core/engine.js";
import { indexesOf } from "../core/indexes.js";
import { Machine } from "../core/machine.js";
import { unpacked } from "../core/unpack.js";
import { Address } from "./address.js";
import { Bench } from "./bench.js";
import { Tables } from "./tables.js";
import { byId, element, markCurrent } from "./text.js";

/** The page of each key with which an address begins. */
const PREVIEWS = {
  label: "decode", bytes: "decode", detect: "identify", repair: "mend", character: "lookup", table: "tables",
  coverage: "tables",
};

/** Show a program in Python that gives the answer, with a button that copies it. */
function snippets(code) {
  const copy = element("button", { type: "button", textContent: "Copy as Python", data: { copy: "Python" } });
  copy.addEventListener("click", async () => {
    await copied(code);
    byId("copied").textContent = "Python copied";
  });
  byId("copied").textContent = "";
  byId("snippets").replaceChildren(copy, element("details", {},
    element("summary", { textContent: "Show it" }), element("pre", { textContent: code })));
}

/** Return the address of the page that previews of links describe best: one for each question. */
function linkTo({ href, hash, protocol }) {
  const kind = PREVIEWS[/^#(\w*)/.exec(hash)[1]];
  return kind && protocol.startsWith("http") ? new URL(`${kind}.html${hash}`, href).href : href;
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

async function start() {
  const [module, written] = await Promise.all(["engine", "data"].map((id) => unpacked(byId(id).textContent)));
  const data = JSON.parse(new TextDecoder().decode(written));
  const engine = await Engine.load(module, data.members);
  const indexes = indexesOf(engine, data);
  const page = { engine, data, indexes, machine: new Machine(data.programs, indexes), snippets };
  const views = {}, make = { inspect: Bench, tables: Tables };
  let current = "inspect";
  page.address = new Address(show);

  function show(state) {
    const view = ["table", "coverage"].find((key) => key in state) ?? "inspect";
    current = view === "inspect" ? view : "tables";
    views[current] ??= new make[current](page);
    for (const name of Object.keys(make)) byId(name).hidden = name !== current;
    document.body.classList.toggle("wide", current === "tables");
    markCurrent("header nav a", view);
    views[current].show(state);
  }

  byId("share").addEventListener("click", async ({ target }) => {
    await copied(linkTo(location));
    target.textContent = "Link copied";
    setTimeout(() => (target.textContent = "Copy link"), 2000);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    if (current === "tables") show({});
    views.inspect.open(file);
  });
  show(page.address.state);
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

// Whatever fails, the page says so: it is never blank.
function broke(error) {
  const why = error?.message ?? error;
  byId("broken").textContent = `The explorer failed: ${why}. Reload the page, or start from the front page.`;
}

addEventListener("error", ({ error, message }) => broke(error ?? message));
addEventListener("unhandledrejection", ({ reason }) => broke(reason));
start().catch((error) => {
  broke(error);
  throw error;
});
