// What the page has within it: bytes that are compressed by gzip, after their length, six in seven digits of base 116.

const LOWEST = [0x01, 0x0E, 0x20, 0x3D]; // the first and one more than the last code of each run of digits
const HIGHEST = [0x09, 0x1C, 0x3C, 0x7F];
const SIX = 2 ** 48; // what seven digits have at most, which a number represents exactly

/** Return the bytes of a text, six for each seven digits. @param {string} text */
function ofBase116(text) {
  const values = new Uint8Array(128), bytes = new Uint8Array((text.length / 7) * 6);
  let digits = 0;
  LOWEST.forEach((lowest, run) => {
    for (let code = lowest; code < HIGHEST[run]; code++) values[code] = digits++;
  });
  for (let at = 0, to = 0; at < text.length; at += 7, to += 6) {
    let sum = 0;
    for (let digit = 0; digit < 7; digit++) sum = sum * digits + values[text.charCodeAt(at + digit)];
    if (sum >= SIX) throw new RangeError("the page’s data is damaged");
    const high = Math.floor(sum / 2 ** 24), low = sum % 2 ** 24;
    [bytes[to], bytes[to + 1], bytes[to + 2]] = [high >> 16, high >> 8, high];
    [bytes[to + 3], bytes[to + 4], bytes[to + 5]] = [low >> 16, low >> 8, low];
  }
  return bytes;
}

/** @param {string} text @returns {Promise<Uint8Array>} */
export async function unpacked(text) {
  const bytes = ofBase116(text), length = new DataView(bytes.buffer).getUint32(0);
  const stream = new Blob([bytes.subarray(4, 4 + length)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
