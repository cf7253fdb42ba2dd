import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readRecords, writeRecords } from './records.ts'

const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shelf'), id: z.int() }),
  z.strictObject({ kind: z.literal('book'), id: z.int(), title: z.string() }),
])
type Item = z.output<typeof schema>
type File = { kind: 'file'; key: string }

const shelf: Item = { kind: 'shelf', id: 1 }
const book: Item = { kind: 'book', id: 7, title: 'Ä\nβ' }

async function* each<T>(...values: T[]): AsyncGenerator<T> {
  yield* values
}

/** Reads a text that arrives in pieces of so many bytes. */
async function read(text: string, pieceBytes = 1_000) {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
    bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  )
  const counts: Record<string, number> = {}
  const records: Item[] = []
  for await (const record of readRecords(each(...pieces), schema, counts)) records.push(record)
  return { records, counts }
}

const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const end = (counts: Record<string, number>) => ({ kind: 'end', counts })

describe('records as lines', () => {
  test.each([1, 2, 7, 1_000])('are read as they were written, in pieces of %i bytes', async (pieceBytes) => {
    const chunks: Buffer[] = []
    for await (const chunk of writeRecords(3, each<Item | File>(shelf, book, { kind: 'file', key: 'a/b' })))
      chunks.push(chunk)
    const [begin, ...others] = Buffer.concat(chunks).toString().split('\n')

    expect(JSON.parse(begin ?? '')).toEqual({ kind: 'begin', records: 3 })
    expect(await read(others.join('\n'), pieceBytes)).toEqual({
      records: [shelf, book],
      counts: { shelf: 1, book: 1, file: 1 },
    })
  })

  test.each([
    ['an unknown field', lines({ ...shelf, height: 3 }, end({ shelf: 1 })), /Line 1 .*height/],
    ['a missing field', lines(shelf, { kind: 'book', id: 1 }, end({})), /Line 2 .*title/],
    ['an unknown kind', lines({ kind: 'lamp' }, end({})), /Line 1 .*unknown kind: "lamp"/],
    ['no object', lines([1], end({})), /Line 1 is no object/],
    ['no JSON', 'nonsense\n', /Line 1 is not JSON/],
    ['another order', lines(book, shelf, end({ book: 1, shelf: 1 })), /Line 2 .*shelf/],
    ['no end', lines(shelf, book), /break off after line 2/],
    ['nothing at all', '', /break off after line 0/],
    [
      'fewer than announced',
      lines(shelf, end({ shelf: 2 })),
      /there are 2 of the kind shelf, but there are 1/,
    ],
    ['more than announced', lines(shelf, book, end({ shelf: 1 })), /0 of the kind book, but there are 1/],
    ['something after the end', lines(shelf, end({ shelf: 1 }), shelf), /Line 3 stands after the end/],
  ])('are rejected with %s', async (_, text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(message),
    })
  })

  test('are rejected if they are not UTF-8', async () => {
    await expect(async () => {
      for await (const _ of readRecords(each(Buffer.from([0xff, 10])), schema)) continue
    }).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})
