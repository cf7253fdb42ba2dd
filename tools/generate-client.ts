// Generates the TypeScript client's types of parameters, answers and events, and its table of operations, from the API's
// documents. Skipped if neither the documents nor this tool have changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { AsyncApi, OpenApi } from './client/documents.ts'
import { eventInterface, eventSchemas } from './client/event-schemas.ts'
import {
  answerSchemas,
  errorInterface,
  listOperations,
  operationInterface,
  operationTable,
  parameterSchemas,
} from './client/operations.ts'
import { type Compile, generateAnswerTypes, generateParameterTypes } from './client/types.ts'

const root = new URL('..', import.meta.url)
const packageUrl = new URL('clients/typescript/', root)
const output = new URL('src/generated/', packageUrl)
const OPENAPI = 'docs/openapi.json'
const ASYNCAPI = 'docs/asyncapi.json'
const SOURCES = [
  'tools/generate-client.ts',
  'tools/client/documents.ts',
  'tools/client/operations.ts',
  'tools/client/event-schemas.ts',
  'tools/client/types.ts',
  'clients/typescript/package.json',
]
const BANNER = '// Generated from the documents of the API by tools/generate.ts.\n\n'

/** Does nothing if inputs are missing: images of services are built from a part of the repository, without the client. */
export async function generateClient(): Promise<void> {
  const texts = [OPENAPI, ASYNCAPI, ...SOURCES].map((path) => new URL(path, root))
  if (!texts.every((url) => existsSync(url))) return
  const stamp = texts
    .reduce((hash, url) => hash.update(readFileSync(url)), createHash('sha256'))
    .digest('hex')
  const stampFile = new URL('.generated-from', output)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return

  const openApi: OpenApi = JSON.parse(readFileSync(new URL(OPENAPI, root), 'utf8'))
  const asyncApi: AsyncApi = JSON.parse(readFileSync(new URL(ASYNCAPI, root), 'utf8'))
  const operations = listOperations(openApi)
  // The client handles the envelope itself.
  const { Success: _, Error: __, ...named } = openApi.components.schemas
  const schemas = {
    ...named,
    ...answerSchemas(operations, openApi),
    ...eventSchemas(asyncApi),
  }
  const { compile }: { compile: Compile } = createRequire(new URL('package.json', packageUrl))(
    'json-schema-to-typescript',
  )
  mkdirSync(output, { recursive: true })
  writeFileSync(new URL('answers.ts', output), BANNER + (await generateAnswerTypes(schemas, compile)))
  writeFileSync(
    new URL('parameters.ts', output),
    BANNER + (await generateParameterTypes(parameterSchemas(operations), compile)),
  )
  writeFileSync(new URL('operations.ts', output), BANNER + operationInterface(operations))
  writeFileSync(new URL('errors.ts', output), BANNER + errorInterface(openApi))
  writeFileSync(new URL('events.ts', output), BANNER + eventInterface(asyncApi))
  writeFileSync(new URL('operation-table.ts', output), BANNER + operationTable(operations))
  writeFileSync(stampFile, stamp)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateClient()
