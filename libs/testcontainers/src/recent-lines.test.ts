import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { RecentLines } from './recent-lines.ts'

test('lines are put together from what comes piece by piece, up to the last', async () => {
  const stream = new PassThrough()
  const lines = new RecentLines()
  lines.listen(stream)
  for (const piece of ['messaging en', 'ded\nits last ', 'words']) stream.write(piece)
  stream.end()

  expect(await lines.untilEnd()).toEqual(['messaging ended', 'its last words'])
})

test('of many lines the last are kept', async () => {
  const stream = new PassThrough()
  const lines = new RecentLines()
  lines.listen(stream)
  stream.end(Array.from({ length: 100 }, (_, index) => `${index}\n`).join(''))

  const kept = await lines.untilEnd()
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([40, '60', '99'])
})

test('a container that said nothing is not waited for', async () => {
  expect(await new RecentLines().untilEnd()).toEqual([])
})
