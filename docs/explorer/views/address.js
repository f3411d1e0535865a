// The state of the page is its address: `#label=shift_jis&bytes=82a0`. A link restores it, and so does the back button.

const LONGEST = 16384; // characters of a value; what is longer is in the page alone

/** @typedef {Record<string, string>} State */

/** Return the state of an address. @returns {State} */
export function stateOf(hash) {
  const pairs = hash.replace(/^#/, "").split("&").filter(Boolean).map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), read(pair.slice(at + 1).replaceAll("+", " "))];
  });
  return Object.fromEntries(pairs);
}

// Percent-escapes that are not UTF-8 are those of bytes in another encoding, and stay.
function read(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Return the address of a state. Empty values are left out. @param {State} state */
export function addressOf(state) {
  const kept = Object.entries(state).filter(([key, value]) =>
    (value || (value === "" && (key === "bytes" || key === "text"))) && value.length <= LONGEST);
  return `#${kept.map(([key, value]) => `${key}=${written(value)}`).join("&")}`;
}

// What is readable in an address stays so: URLSearchParams would escape every character beyond ASCII.
function written(value) {
  return value.replace(/[%&+#\s\p{C}"<>`]|[\uD800-\uDFFF]/gu, (character) =>
    (/^[\uD800-\uDFFF]$/.test(character) ? "%EF%BF%BD" : encodeURIComponent(character)));
}

/** Keeps the address of the page; edits of one field in a row are one step of the history. */
export class Address {
  #field = null;

  /** @param {(state: State) => void} show is called for a state that comes from outside */
  constructor(show) {
    const arrived = () => {
      this.#field = null;
      show(stateOf(location.hash));
    };
    addEventListener("popstate", arrived);
    addEventListener("hashchange", arrived);
  }

  get state() {
    return stateOf(location.hash);
  }

  /** Put a state into the address. `field` is what a person edits. @param {State} state */
  put(state, field = "") {
    const address = addressOf(state);
    if (address === location.hash) return;
    const isSame = field && field === this.#field;
    this.#field = field;
    history[isSame ? "replaceState" : "pushState"](null, "", address);
  }
}
