import {
  allDomainEvents,
  apiEndpoints,
  asyncApiDocument,
  errorTable,
  exportRecordsDocument,
  openApiDocument,
  publicCodeOf,
} from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { listFiles, read } from './support/repository.ts'

const REMEDY = 'run: npm run build && node tools/api-documents.ts'

describe('documents', () => {
  test.each([
    ['docs/openapi.json', `${JSON.stringify(openApiDocument(apiEndpoints), null, 2)}\n`],
    ['docs/asyncapi.json', `${JSON.stringify(asyncApiDocument(allDomainEvents), null, 2)}\n`],
    ['docs/export-records.md', exportRecordsDocument()],
  ])('%s matches the contracts', (path, document) => {
    const isUpToDate = read(path) === document
    expect(isUpToDate ? '' : `${path} is out of date; ${REMEDY}`).toBe('')
  })

  test('docs/openapi.json describes every endpoint', () => {
    const text = read('docs/openapi.json')
    expect(apiEndpoints.filter(({ name }) => !text.includes(`"${name}"`)).map(({ name }) => name)).toEqual([])
  })
})

describe('docs/clients.md', () => {
  test('names the version of the client that the suite runs', () => {
    const { devDependencies, dependencies } = JSON.parse(read('tests/package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string> | undefined
    >
    const version = { ...dependencies, ...devDependencies }['zulip-js']

    expect(read('docs/clients.md')).toMatch(new RegExp(`\\| \`zulip-js\`[^|]*\\| ${version} +\\|`))
  })
})

describe('error codes', () => {
  const codes = Object.keys(errorTable) as (keyof typeof errorTable)[]
  // Declaring an error code for one endpoint or all is not using it.
  const declarations = /\/contracts\/src\/(errors|\w+\/endpoints)\.ts$|\.test\.ts$/
  const sources = [...listFiles('libs'), ...listFiles('services')]
    .filter((path) => /\/src\/.*\.ts$/.test(path) && !declarations.test(path))
    .map(read)
    .join('\n')

  test('are all used', () => {
    expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([])
  })

  test('are all documented in docs/openapi.json, and no others are', () => {
    const { components } = JSON.parse(read('docs/openapi.json')) as {
      components: { schemas: { ErrorCode: { oneOf: { const: string }[] } } }
    }
    expect(components.schemas.ErrorCode.oneOf.map((each) => each.const).sort()).toEqual(
      [...new Set(codes.map(publicCodeOf))].sort(),
    )
  })
})
