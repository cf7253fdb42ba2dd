// Writes docs/openapi.json, docs/asyncapi.json, docs/export-records.md, docs/feature-levels.md and docs/audit-log.md from
// the contracts, then generates the TypeScript client. Build first. With --check it writes nothing, and fails if a file is out of date.
import {
  allDomainEvents,
  apiEndpoints,
  asyncApiDocument,
  auditLogDocument,
  exportRecordsDocument,
  featureLevelsDocument,
  openApiDocument,
} from '../libs/contracts/dist/index.js'
import { generateClient } from './generate-client.ts'
import { isCheck, updateGenerated } from './generated-files.ts'

const toJson = (document: object) => `${JSON.stringify(document, null, 2)}\n`
updateGenerated('api-documents.ts', {
  'docs/openapi.json': toJson(openApiDocument(apiEndpoints)),
  'docs/asyncapi.json': toJson(asyncApiDocument(allDomainEvents)),
  'docs/export-records.md': exportRecordsDocument(),
  'docs/feature-levels.md': featureLevelsDocument(),
  'docs/audit-log.md': auditLogDocument(allDomainEvents),
})
if (!isCheck) await generateClient()
