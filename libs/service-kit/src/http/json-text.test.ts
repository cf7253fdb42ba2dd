import { describe, expect, test } from 'vitest'
import { WrittenList, writeJsonText } from './json-text.ts'

const written = async (fields: Record<string, unknown>): Promise<string> => {
  const { parts, length } = await writeJsonText(fields)
  const bytes = Buffer.concat([...(parts as Iterable<Uint8Array>)])
  expect(length).toBe(bytes.length)
  return bytes.toString()
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

    const { parts } = await writeJsonText(fields)

    expect(JSON.parse(await written(fields))).toEqual({ none: [], some: [{ name: 'ü' }, 2, 3], last: 4 })
    expect([...(parts as Iterable<Uint8Array>)]).toContain(items)
  })

  test('yields to other work', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await writeJsonText({ list: Array.from({ length: 100_000 }, (_, id) => ({ id, name: `name ${id}` })) })
    clearInterval(timer)

    expect(turns).toBeGreaterThan(5)
  })
})
