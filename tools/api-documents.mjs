// Writes docs/openapi.json and docs/asyncapi.json from the contracts. Build first.
// With --check it writes nothing and fails when a file isn't what the contracts say.
import { readFileSync, writeFileSync } from 'node:fs'
import {
  allDomainEvents,
  apiEndpoints,
  asyncApiDocument,
  openApiDocument,
} from '../libs/contracts/dist/index.js'

const documents = {
  'docs/openapi.json': openApiDocument(apiEndpoints),
  'docs/asyncapi.json': asyncApiDocument(allDomainEvents),
}
for (const [path, document] of Object.entries(documents)) {
  const url = new URL(`../${path}`, import.meta.url)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`${path} is not what the contracts say: run node tools/api-documents.mjs`)
    process.exitCode = 1
  }
}
