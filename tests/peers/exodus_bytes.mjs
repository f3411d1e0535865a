// Runs the npm package @exodus/bytes: reads one JSON request per line, and writes one line of JSON for each.
//
//   {"encode": label, "inputs": [text, ...]} -> [hex of the bytes in error mode "html", ...]
//   {"names": [label, ...]}                  -> [name, or null, ...]
import { createInterface } from 'node:readline'
import { labelToName } from '@exodus/bytes/encoding.js'
import { percentEncodeAfterEncoding } from '@exodus/bytes/whatwg.js'

// The package offers mode "html" only in percent-encoding, which is reversible with "%" in the percent-encode set.
const encode = (label, text) =>
  percentEncodeAfterEncoding(label, text, '%').replace(/%(..)|([^%])/gsu, (_, hex, character) =>
    (hex ?? character.charCodeAt(0).toString(16).padStart(2, '0')).toLowerCase()
  )

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  const answer =
    'encode' in request
      ? request.inputs.map((text) => encode(request.encode, text))
      : request.names.map((label) => labelToName(label))
  process.stdout.write(JSON.stringify(answer) + '\n')
}
