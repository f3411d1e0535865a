// Start the scripts that the page contains in compressed form. The page's policy allows each by its hash.

import { unpacked } from "./core/unpack.js";

const byId = (id) => document.getElementById(id);

async function start() {
  for (const id of ["core", "views"]) {
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(await unpacked(byId(id).textContent));
    document.head.append(script);
  }
}

start().catch(({ message }) => {
  byId("broken").textContent = `The explorer can’t start in this browser: ${message}.`;
});
