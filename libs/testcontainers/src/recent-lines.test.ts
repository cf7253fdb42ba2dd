import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { RecentLines } from './recent-lines.ts'

test('joins chunks to lines, including the unfinished last one', async () => {
  const stream = new PassThrough()
  const lines = new RecentLines()
  lines.listen(stream)
  for (const piece of ['messaging en', 'ded\nits last ', 'words']) stream.write(piece)
  stream.end()

  expect(await lines.untilEnd()).toEqual(['messaging ended', 'its last words'])
})

test('keeps only the last lines', async () => {
  const stream = new PassThrough()
  const lines = new RecentLines()
  lines.listen(stream)
  stream.end(Array.from({ length: 100 }, (_, index) => `${index}\n`).join(''))

  const lastLines = await lines.untilEnd()
  expect([lastLines.length, lastLines[0], lastLines.at(-1)]).toEqual([40, '60', '99'])
})

test('does not wait for a container without output', async () => {
  expect(await new RecentLines().untilEnd()).toEqual([])
})
