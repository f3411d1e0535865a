// Runs the npm package @exodus/bytes: reads one JSON request per line, and writes one line of JSON for each.
//
//   {"decode": label, "inputs": [hex, ...], "fatal": bool} -> [text, or null for an error, ...]
//   {"stream": label, "inputs": [[hex, ...], ...]}         -> [[text of each chunk ..., text at end-of-queue], ...]
//   {"encode": label, "inputs": [text, ...]}               -> [hex of the bytes in error mode "html", ...]
//   {"name": [label, ...]}                                 -> [name, or null, ...]
import { createInterface } from 'node:readline'
import { labelToName, legacyHookDecode, TextDecoder } from '@exodus/bytes/encoding.js'
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js'

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'))

function decode(label, inputs, fatal) {
  // TextDecoder does not support this decoder. The hook handles BOMs, so inputs must not start with one.
  if (labelToName(label) === 'replacement') return inputs.map((hex) => legacyHookDecode(bytes(hex), label))
  return inputs.map((hex) => {
    try {
      return new TextDecoder(label, { fatal, ignoreBOM: true }).decode(bytes(hex))
    } catch (error) {
      if (fatal && error instanceof TypeError) return null
      throw error
    }
  })
}

function stream(label, inputs) {
  return inputs.map((chunks) => {
    const decoder = new TextDecoder(label, { ignoreBOM: true })
    return [...chunks.map((hex) => decoder.decode(bytes(hex), { stream: true })), decoder.decode()]
  })
}

// The package offers mode "html" only in percent-encoding, which is reversible with "%" in the percent-encode set.
const encode = (label, inputs) =>
  inputs.map((text) =>
    percentEncodeAfterEncoding(label, text, '%').replace(/%(..)|([^%])/gsu, (_, hex, character) =>
      (hex ?? character.charCodeAt(0).toString(16).padStart(2, '0')).toLowerCase()
    )
  )

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  let answer
  if ('decode' in request) answer = decode(request.decode, request.inputs, request.fatal)
  else if ('stream' in request) answer = stream(request.stream, request.inputs)
  else if ('encode' in request) answer = encode(request.encode, request.inputs)
  else answer = request.name.map((label) => labelToName(label))
  process.stdout.write(JSON.stringify(answer) + '\n')
}
