"""The software bill of materials in a wheel: what is in it that another project made, in CycloneDX's format.

An installer keeps it as ``*.dist-info/sboms/whatwg-encoding.cdx.json``: https://peps.python.org/pep-0770/
"""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILE = "whatwg-encoding.cdx.json"


def document(name: str, version: str) -> str:
    """Return the bill of the package: the standard's data, by the digests of its pin, and Cython's support code.

    The same tree and the same Cython give the same text.
    """
    pin = tomllib.loads((ROOT / "data" / "snapshot.toml").read_text(encoding="utf-8"))
    package = f"pkg:pypi/{name}@{version}"
    components: list[dict[str, Any]] = [
        {
            "type": "data",
            "bom-ref": f"whatwg-encoding-standard/{file}",
            "name": f"WHATWG Encoding Standard, {file}",
            "version": pin["date"].isoformat(),
            "description": "Compiled into the tables of the modules.",
            "hashes": [{"alg": "SHA-256", "content": pinned["sha256"]}],
            "licenses": [{"license": {"id": "BSD-3-Clause"}}],
            "externalReferences": [{"type": "distribution", "url": pinned["origin"]}],
        }
        for file, pinned in sorted(pin["files"].items())
    ]
    cython = version_of("cython")
    components.append(
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/cython@{cython}",
            "name": "Cython",
            "version": cython,
            "description": "Its support code in C is a part of each compiled module.",
            "licenses": [{"license": {"id": "Apache-2.0"}}],
            "purl": f"pkg:pypi/cython@{cython}",
        }
    )
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": package,
                "name": name,
                "version": version,
                "licenses": [{"license": {"id": "BSD-3-Clause"}}],
                "purl": package,
            }
        },
        "components": components,
        "dependencies": [{"ref": package, "dependsOn": [component["bom-ref"] for component in components]}],
    }
    return json.dumps(bill, indent=2) + "\n"
