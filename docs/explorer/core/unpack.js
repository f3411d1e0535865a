// What the page has within it: bytes that are compressed by gzip, in base64.

/** @param {string} text @returns {Promise<Uint8Array>} */
export async function unpacked(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
