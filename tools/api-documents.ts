// Writes docs/openapi.json, docs/asyncapi.json and docs/export-records.md from the contracts, then generates the TypeScript
// client. Build first. With --check it writes nothing, and fails if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import {
  allDomainEvents,
  apiEndpoints,
  asyncApiDocument,
  exportRecordsDocument,
  openApiDocument,
} from '../libs/contracts/dist/index.js'
import { generateClient } from './generate-client.ts'

const toJson = (document: object) => `${JSON.stringify(document, null, 2)}\n`
const documents = {
  'docs/openapi.json': toJson(openApiDocument(apiEndpoints)),
  'docs/asyncapi.json': toJson(asyncApiDocument(allDomainEvents)),
  'docs/export-records.md': exportRecordsDocument(),
}
for (const [path, text] of Object.entries(documents)) {
  const url = new URL(`../${path}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(url, text)
  else if (readFileSync(url, 'utf8') !== text) {
    console.error(`${path} is out of date: run node tools/api-documents.ts`)
    process.exitCode = 1
  }
}
if (!process.argv.includes('--check')) await generateClient()
