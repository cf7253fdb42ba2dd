// Generates what the TypeScript client takes from the API's documents: types of parameters, answers and events, and
// the table by which it sends requests. Only where the documents or this tool changed since.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { eventInterface, eventSchemas } from './client/event-schemas.mjs'
import {
  answerSchemas,
  errorInterface,
  operationInterface,
  operationsOf,
  operationTable,
  parameterSchemas,
} from './client/operations.mjs'
import { answerTypes, parameterTypes } from './client/types.mjs'

const root = new URL('..', import.meta.url)
const packageUrl = new URL('clients/typescript/', root)
const output = new URL('src/generated/', packageUrl)
const DOCUMENTS = ['docs/openapi.json', 'docs/asyncapi.json']
const SOURCES = [
  'tools/generate-client.mjs',
  'tools/client/operations.mjs',
  'tools/client/event-schemas.mjs',
  'tools/client/types.mjs',
  'clients/typescript/package.json',
]
const BANNER = '// Made from the documents of the API by tools/generate.mjs.\n\n'

/** An image of a service is built from less than the whole repository, and needs no client. */
export async function generateClient() {
  const texts = [...DOCUMENTS, ...SOURCES].map((path) => new URL(path, root))
  if (!texts.every((url) => existsSync(url))) return
  const stamp = texts
    .reduce((hash, url) => hash.update(readFileSync(url)), createHash('sha256'))
    .digest('hex')
  const stampFile = new URL('.generated-from', output)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  const [openApi, asyncApi] = DOCUMENTS.map((path) => JSON.parse(readFileSync(new URL(path, root), 'utf8')))
  const operations = operationsOf(openApi)
  // The envelope is the client's affair.
  const { Success: _, Error: __, ...named } = openApi.components.schemas
  const told = {
    ...named,
    ...answerSchemas(operations, openApi),
    ...eventSchemas(asyncApi),
  }
  const { compile } = createRequire(new URL('package.json', packageUrl))('json-schema-to-typescript')
  mkdirSync(output, { recursive: true })
  writeFileSync(new URL('answers.ts', output), BANNER + (await answerTypes(told, compile)))
  writeFileSync(
    new URL('parameters.ts', output),
    BANNER + (await parameterTypes(parameterSchemas(operations), compile)),
  )
  writeFileSync(new URL('operations.ts', output), BANNER + operationInterface(operations))
  writeFileSync(new URL('errors.ts', output), BANNER + errorInterface(openApi))
  writeFileSync(new URL('events.ts', output), BANNER + eventInterface(asyncApi))
  writeFileSync(new URL('operation-table.ts', output), BANNER + operationTable(operations))
  writeFileSync(stampFile, stamp)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateClient()
