import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseEnvironment } from './parse-environment.ts'

const schema = z.object({
  DATABASE_URL: z.url().describe('Database, as postgres://host/name.'),
  PORT: z.coerce.number().int().default(8080),
  KEY: z.string().min(8),
})
const right = { DATABASE_URL: 'postgres://localhost/db', KEY: 'a long key' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tms-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (text: string): string => {
  const path = join(folder, 'secret')
  writeFileSync(path, text)
  return path
}

describe('the configuration', () => {
  test('is read from variables, with defaults', () => {
    expect(parseEnvironment(schema, { ...right, OTHER: 'x' })).toEqual({ ...right, PORT: 8080 })
  })

  test('reports all invalid variables at once, with what each should be', () => {
    const { KEY: _, ...rest } = right
    expect(() => parseEnvironment(schema, { ...rest, DATABASE_URL: 'nothing', PORT: 'x' })).toThrow(
      /^Invalid configuration:\n {2}DATABASE_URL .+\n {4}Database, as postgres:\/\/host\/name\.\n {2}PORT .+\n {2}KEY is required$/,
    )
  })
})

describe('a variable in a file', () => {
  test('is the text of the file, without the line break at its end', () => {
    const { KEY: _, ...rest } = right

    expect(parseEnvironment(schema, { ...rest, KEY_FILE: fileOf('from a file\n') }).KEY).toBe('from a file')
    expect(parseEnvironment(schema, { ...rest, KEY: '', KEY_FILE: fileOf('from a file') }).KEY).toBe(
      'from a file',
    )
    expect(parseEnvironment(schema, { ...right, KEY_FILE: '' }).KEY).toBe(right.KEY)
  })

  test('is validated like others, and its text is not reported', () => {
    const { KEY: _, ...rest } = right
    const parse = () => parseEnvironment(schema, { ...rest, KEY_FILE: fileOf('short') })

    expect(parse).toThrow(/KEY /)
    expect(parse).not.toThrow(/short/)
  })

  test('that cannot be read, or is set twice, is reported with all other errors', () => {
    const environment = { DATABASE_URL_FILE: join(folder, 'missing'), KEY: right.KEY, KEY_FILE: fileOf('x') }

    expect(() => parseEnvironment(schema, environment)).toThrow(
      /DATABASE_URL can't be read from .+, which DATABASE_URL_FILE names \(ENOENT\)\n.+\n {2}KEY is given twice/,
    )
  })
})

describe('an empty variable', () => {
  const limited = z.object({
    LIMIT: z.coerce.number().default(200),
    DELAYS: z.string().default('2,10').meta({ takesEmpty: true }),
  })

  test('counts as absent, so that no number becomes 0, which often means no limit', () => {
    expect(parseEnvironment(limited, { LIMIT: '' })).toEqual({ LIMIT: 200, DELAYS: '2,10' })
    expect(parseEnvironment(limited, { LIMIT_FILE: fileOf('\n') }).LIMIT).toBe(200)
    expect(() => parseEnvironment(schema, { ...right, KEY: '' })).toThrow(/KEY is required/)
  })

  test('has a meaning if that is declared', () => {
    expect(parseEnvironment(limited, { DELAYS: '' }).DELAYS).toBe('')
  })
})

test('a variable without those that it needs is reported with all other errors', () => {
  const pair = z.object({
    PORT: z.coerce.number(),
    USER: z
      .string()
      .optional()
      .meta({ needs: ['PASSWORD'] }),
    PASSWORD: z
      .string()
      .optional()
      .meta({ needs: ['USER'] }),
    SECURE: z
      .stringbool()
      .default(false)
      .meta({ needs: ['USER', 'PASSWORD'] }),
  })

  expect(() => parseEnvironment(pair, { PORT: 'x', USER: 'a', SECURE: 'true' })).toThrow(
    /PORT .+\n {2}USER needs PASSWORD\n {2}SECURE needs PASSWORD$/,
  )
  expect(parseEnvironment(pair, { PORT: '1', SECURE: 'false', PASSWORD: '' })).toMatchObject({ PORT: 1 })
  expect(() => parseEnvironment(pair, { PORT: '1', PASSWORD: 'b' })).toThrow('PASSWORD needs USER')
})
