// Writes docs/openapi.json, docs/asyncapi.json and docs/export-records.md from the contracts. Build first.
// The sources of the TypeScript client follow. With --check it writes nothing and fails when a file isn't what the contracts say.
import { readFileSync, writeFileSync } from 'node:fs'
import {
  allDomainEvents,
  apiEndpoints,
  asyncApiDocument,
  exportRecordsDocument,
  openApiDocument,
} from '../libs/contracts/dist/index.js'
import { generateClient } from './generate-client.mjs'

const written = (document) => `${JSON.stringify(document, null, 2)}\n`
const documents = {
  'docs/openapi.json': written(openApiDocument(apiEndpoints)),
  'docs/asyncapi.json': written(asyncApiDocument(allDomainEvents)),
  'docs/export-records.md': exportRecordsDocument(),
}
for (const [path, text] of Object.entries(documents)) {
  const url = new URL(`../${path}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`${path} is not what the contracts say: run node tools/api-documents.mjs`)
    process.exitCode = 1
  }
}
if (!process.argv.includes('--check')) await generateClient()
