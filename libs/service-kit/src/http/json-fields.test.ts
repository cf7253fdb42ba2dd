import { crc32, inflateRawSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { SharedText } from '../deflate/shared-text.ts'
import { WrittenList, writeJsonFields } from './json-fields.ts'

/** The object, from its fields as they were written. */
const written = async (fields: Record<string, unknown>): Promise<string> => {
  const { parts, length, deflatedFrom } = await writeJsonFields(fields, { mayDeflate: true })
  const bytes = Buffer.concat([...(parts as Iterable<Uint8Array>)])
  expect(length).toBe(bytes.length)
  if (!deflatedFrom) return `{${bytes}}`
  // The last block.
  const text = inflateRawSync(Buffer.concat([bytes, Buffer.from([3, 0])]))
  expect(deflatedFrom).toEqual({ length: text.length, crc32: crc32(text) })
  return `{${text}}`
}

const listOf = (length: number): [string, number[]] => [
  `of ${length}`,
  Array.from({ length }, (_, index) => index),
]

describe('JSON that is written in pieces', () => {
  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['what is undefined', { a: undefined, b: 1 }],
    ['values of all kinds', { 'a "b"': null, c: 'ü\n', d: { e: [1, [2]] }, f: true, g: 1.5 }],
    ['lists', { a: [], b: [1], c: [{ d: 1 }, null] }],
    ['lists of one piece and of several', Object.fromEntries([499, 500, 501, 1_000, 1_234].map(listOf))],
  ])('equals the result of JSON.stringify: %s', async (_, fields) => {
    expect(await written(fields)).toBe(JSON.stringify(fields))
  })

  test('writes a generator as a list', async () => {
    function* squares(count: number) {
      for (let i = 0; i < count; i++) yield { square: i * i }
    }
    const fields = { none: squares(0), some: squares(3), many: squares(1_001) }

    const { none, some, many } = JSON.parse(await written(fields))

    expect([none, some]).toEqual([[], [...squares(3)]])
    expect(many).toEqual([...squares(1_001)])
  })

  test('inserts JSON text without copying it', async () => {
    const items = Buffer.from('{"name":"ü"},2')
    const fields = { none: new WrittenList([]), some: new WrittenList([items, Buffer.from('3')]), last: 4 }

    const { parts } = await writeJsonFields(fields)

    expect(JSON.parse(await written(fields))).toEqual({ none: [], some: [{ name: 'ü' }, 2, 3], last: 4 })
    expect([...(parts as Iterable<Uint8Array>)]).toContain(items)
  })

  test('may be deflated if most of it is large texts that answers share, each of which is deflated once', async () => {
    const text = Buffer.from(Array.from({ length: 10_000 }, (_, id) => `{"id":${id},"name":"ü"}`).join())
    const short = new SharedText(text.subarray(0, text.indexOf('},') + 1))
    const shared = new SharedText(text)
    const deflate = vi.spyOn(shared, 'deflate')
    const names = Array.from({ length: 3_000 }, (_, id) => `name ${id}`)
    const fields = { first: 1, some: new WrittenList([short, shared, Buffer.from('"own"'), shared]), names }

    const { length, deflatedFrom } = await writeJsonFields(fields, { mayDeflate: true })
    expect(length).toBeLessThan((deflatedFrom?.length ?? 0) / 5)
    const some = JSON.parse(`[${short.bytes},${text},"own",${text}]`)
    expect(JSON.parse(await written(fields))).toEqual({ first: 1, some, names })
    const results = await Promise.all(deflate.mock.results.map(({ value }) => value))
    expect(new Set(results).size).toBe(1)
    expect(results).toHaveLength(4)

    const own = new WrittenList([Buffer.alloc(3 * text.length, '1')])
    for (const plain of [
      await writeJsonFields(fields),
      await writeJsonFields({ some: new WrittenList([short]) }, { mayDeflate: true }),
      await writeJsonFields({ ...fields, own }, { mayDeflate: true }),
    ])
      expect(plain.deflatedFrom).toBe(null)
  })

  test('yields to other work', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await writeJsonFields({ list: Array.from({ length: 100_000 }, (_, id) => ({ id, name: `name ${id}` })) })
    clearInterval(timer)

    expect(turns).toBeGreaterThan(5)
  })
})
