// Runs Python in Pyodide: `node pyodide.mjs PYODIDE WHEEL PROJECT FILE [ARGUMENT…]`. The project's folders tests and
// generated are importable; the program is FILE, in PROJECT.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, wheel, project, file, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
pyodide.FS.mkdir("/project");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: project }, "/project");
pyodide.globals.set("arguments", pyodide.toPy([`/project/${file}`, ...rest]));
try {
  await pyodide.runPythonAsync(`
import os, runpy, sys
os.chdir("/project")
sys.path.insert(0, "/project")
sys.argv[:] = arguments
runpy.run_path(sys.argv[0], run_name="__main__")
`);
} catch (error) {
  if (!String(error).includes("SystemExit: 0")) {
    console.error(String(error));
    process.exitCode = 1;
  }
}
