// Runs a file of the Web Platform Tests on the package: `node wpt.mjs PACKAGE WPT FILE [SEARCH]`, where FILE is within
// the folder WPT, and SEARCH the query of the variant. Prints one line of JSON: [[name, status, message], ...].
import { existsSync, readFileSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";

const [folder, wpt, file, search = ""] = process.argv.slice(2);
const { install } = await import(pathToFileURL(resolve(folder, "standard.js")));
install();

// What a shell lacks of what the tests expect of a browser's global object.
const fetchFile = async (url) => new Response(readFileSync(join(wpt, url)), { status: 200 });
Object.assign(globalThis, {
  self: globalThis,
  GLOBAL: { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false },
  location: { search, href: `https://wpt.test/${file}`, protocol: "https:", pathname: `/${file}`, hash: "" },
});
const native = globalThis.fetch;
globalThis.fetch = (url, ...rest) => (String(url).startsWith("/") ? fetchFile(String(url)) : native(url, ...rest));

const run = (path) => runInThisContext(readFileSync(path, "utf8"), { filename: path });
run(join(wpt, "resources", "testharness.js"));
// A shell is no place where the standard exposes its interfaces; what looks for it after the harness takes a worker.
globalThis.DedicatedWorkerGlobalScope = class {
  static [Symbol.hasInstance](value) {
    return value === globalThis;
  }
};
const results = [];
add_result_callback(({ name, status, message }) => results.push([name, status, message]));
add_completion_callback((_, { status, message }) => {
  if (status !== 0) results.push(["the harness", status, message]);
  writeSync(1, `${JSON.stringify(results)}\n`); // console.log may be cut off by the exit
  process.exit(0);
});

const source = readFileSync(join(wpt, file), "utf8");
for (const [, script] of source.matchAll(/^\/\/ META: script=(.*)$/gm)) {
  const path = script.startsWith("/") ? join(wpt, script) : join(wpt, dirname(file), script);
  const parser = join(wpt, "resources", "webidl2", "lib", "webidl2.js"); // served under another name
  run(existsSync(path) ? path : parser);
}
run(join(wpt, file));
done();
