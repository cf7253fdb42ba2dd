import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AnswerFrames } from './answer-frames.ts'

function collecting() {
  const frames: { head: unknown; events: string[] }[] = []
  const answers = new AnswerFrames(([head = '', ...events]) =>
    frames.push({ head: JSON.parse(head), events }),
  )
  return { frames, answers }
}

test('the answers of one turn are one frame, with each event once', async () => {
  const { frames, answers } = collecting()
  answers.add(1, ['a', 'b'])
  answers.add(2, ['b'])
  answers.add(3, [])
  answers.return(4)

  await nextTurn()

  expect(frames).toEqual([
    { head: { answers: [[1, 0, 1], [2, 1], [3]], returned: [4], isLeaving: false }, events: ['a', 'b'] },
  ])
  answers.add(5, ['b'])
  await nextTurn()
  expect(frames[1]).toEqual({ head: { answers: [[5, 0]], returned: [], isLeaving: false }, events: ['b'] })
})

test('answers that are large together are several frames', async () => {
  const { frames, answers } = collecting()
  const large = Array.from({ length: 40 }, (_, at) => String(at).repeat(30_000))
  for (const [at, text] of large.entries()) answers.add(at, [text])

  await nextTurn()

  expect(frames.length).toBeGreaterThan(1)
  expect(frames.flatMap(({ events }) => events)).toEqual(large)
})

test('a replica that leaves says so at once, and from then on', async () => {
  const { frames, answers } = collecting()
  answers.leave()
  await nextTurn()
  answers.add(1, [])
  await nextTurn()

  expect(frames.map(({ head }) => head)).toEqual([
    { answers: [], returned: [], isLeaving: true },
    { answers: [[1]], returned: [], isLeaving: true },
  ])
})

test('without answers there is no frame', async () => {
  const { frames, answers } = collecting()
  answers.flush()
  await nextTurn()
  expect(frames).toEqual([])
})
