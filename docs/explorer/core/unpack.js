// What the page has within it: bytes that are compressed by gzip, after their length, in base 85.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

/** Return the bytes of a text, four for each five digits. @param {string} text */
function ofBase85(text) {
  const values = new Uint8Array(128), view = new DataView(new ArrayBuffer((text.length / 5) * 4));
  for (let at = 0; at < DIGITS.length; at++) values[DIGITS.charCodeAt(at)] = at;
  for (let at = 0; at < text.length; at += 5) {
    let sum = 0;
    for (let digit = 0; digit < 5; digit++) sum = sum * 85 + values[text.charCodeAt(at + digit)];
    view.setUint32((at / 5) * 4, sum);
  }
  return new Uint8Array(view.buffer);
}

/** @param {string} text @returns {Promise<Uint8Array>} */
export async function unpacked(text) {
  const bytes = ofBase85(text), length = new DataView(bytes.buffer).getUint32(0);
  const stream = new Blob([bytes.subarray(4, 4 + length)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
