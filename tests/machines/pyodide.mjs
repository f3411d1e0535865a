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
process.exitCode = await pyodide.runPythonAsync(`
import os, runpy, sys
os.chdir("/project")
sys.path.insert(0, "/project")
sys.argv[:] = arguments
status = 0
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    status = int(end.code or 0)
status
`);
