import { setImmediate as nextTurn } from 'node:timers/promises'
import { badRequest } from '@tms/contracts'
import { expect, test } from 'vitest'
import { AnswerFrames } from './answer-frames.ts'

const NOTHING = { answers: [], streamed: [], ended: [], errors: [], returned: [], isLeaving: false }
const ignore = () => {}

function collecting() {
  const frames: { head: unknown; events: string[] }[] = []
  const answers = new AnswerFrames({
    send: ([head = '', ...events]) => void frames.push({ head: JSON.parse(head), events }),
    unsentBytes: () => 0,
  })
  return { frames, answers }
}

test('the answers of one turn are one frame, with each event once', async () => {
  const { frames, answers } = collecting()
  answers.add(1, ['a', 'b'], ignore)
  answers.add(2, ['b'], ignore)
  answers.add(3, [], ignore)
  answers.sendBack(4)
  answers.fail(5, badRequest('no such event'))

  await nextTurn()

  const errors = [[5, 'BAD_REQUEST', 'no such event', {}]]
  expect(frames).toEqual([
    { head: { ...NOTHING, answers: [[1, 0, 1], [2, 1], [3]], returned: [4], errors }, events: ['a', 'b'] },
  ])
  answers.add(6, ['b'], ignore)
  await nextTurn()
  expect(frames[1]).toEqual({ head: { ...NOTHING, answers: [[6, 0]] }, events: ['b'] })
})

test('what streams get shares its texts with answers, and their ends come in the same frame', async () => {
  const { frames, answers } = collecting()
  answers.add(1, ['a'], ignore)
  answers.stream(2, [])
  answers.stream(3, ['a', 'b'])
  answers.endStream(3, 'superseded')

  await nextTurn()

  expect(frames).toEqual([
    {
      head: { ...NOTHING, answers: [[1, 0]], streamed: [[2], [3, 0, 1]], ended: [[3, 'superseded']] },
      events: ['a', 'b'],
    },
  ])
})

test('an answer is reported when it was sent', async () => {
  const { frames, answers } = collecting()
  const sentFrames: number[] = []
  answers.add(1, ['a'], () => sentFrames.push(frames.length))
  expect(sentFrames).toEqual([])

  await nextTurn()

  expect(sentFrames).toEqual([1])
})

test('answers that are large together are several frames', async () => {
  const { frames, answers } = collecting()
  const large = Array.from({ length: 40 }, (_, at) => String(at).repeat(30_000))
  for (const [at, text] of large.entries()) answers.add(at, [text], ignore)

  await nextTurn()

  expect(frames.length).toBeGreaterThan(1)
  expect(frames.flatMap(({ events }) => events)).toEqual(large)
})

test('many polls are reported as answered when their frame is sent', () => {
  const { frames, answers } = collecting()
  const sent: number[] = []
  for (let number = 1; number <= 60; number++) answers.add(number, ['a'], () => sent.push(frames.length))

  expect(sent).toEqual(Array.from({ length: 50 }, () => 1))
})

test('a stream that opens and ends at once does both in one frame', async () => {
  const { frames, answers } = collecting()
  for (let number = 1; number < 50; number++) answers.stream(number, ['a'])
  answers.stream(50, [])
  answers.endStream(50, 'superseded')
  await nextTurn()

  expect(frames.map(({ head }) => head)).toMatchObject([
    { streamed: expect.arrayContaining([[50]]), ended: [[50, 'superseded']] },
  ])
})

test('answers with long events are one frame, however many they are', async () => {
  const { frames, answers } = collecting()
  const long = 'a'.repeat(20_000)
  for (let number = 0; number < 120; number++) answers.stream(number, [long])

  await nextTurn()

  expect(frames.map(({ events }) => events)).toEqual([[long]])
})

test('many answers are several frames, of which the first is sent before the turn ends', async () => {
  const { frames, answers } = collecting()
  for (let number = 0; number < 120; number++) answers.stream(number, ['a'])
  expect(frames.length).toBe(2)

  await nextTurn()

  expect(frames.map(({ events }) => events)).toEqual([['a'], ['a'], ['a']])
  const streamed = frames.flatMap(({ head }) => (head as { streamed: number[][] }).streamed)
  expect(streamed).toEqual(Array.from({ length: 120 }, (_, number) => [number, 0]))
})

const MB = 1024 * 1024
const largeOf = (letter: string) => letter.repeat(MB)

test('a large event is once in a frame, in each of its forms', async () => {
  const { frames, answers } = collecting()
  const forms = ['a', 'b', 'c', 'd'].map(largeOf)
  for (let stream = 0; stream < 40; stream++) answers.streamLarge(stream, forms[stream % 4] as string, MB)

  await nextTurn()

  expect(frames.map(({ events }) => events)).toEqual([forms])
})

test('a large event is once in a frame, whatever else that has', async () => {
  const { frames, answers } = collecting()
  const large = largeOf('a')
  for (let stream = 0; stream < 60; stream++) answers.streamLarge(stream, large, MB)
  answers.stream(60, ['b'])
  answers.add(1, [large], ignore)
  await nextTurn()

  expect(frames.map(({ events }) => events)).toEqual([[large, 'b']])
})

test('as many large events are under way as a gateway may keep, until clients have taken one', () => {
  const { frames, answers } = collecting()
  const held = [...'abcdefgh'].map((letter, at) => answers.streamLarge(at, largeOf(letter), MB))
  const [first] = held
  answers.streamLarge(8, largeOf('h'), MB)
  expect(held).not.toContain(null)
  expect(answers.streamLarge(9, largeOf('i'), MB)).toBeNull()
  // No frame has more than four.
  expect(frames.map(({ events }) => events.length)).toEqual([4])

  if (first) answers.releaseLarge(first)

  expect(answers.streamLarge(9, largeOf('i'), MB)).not.toBeNull()
  expect(answers.streamLarge(10, largeOf('j'), MB)).toBeNull()
})

test('a replica that leaves says so at once, and from then on', async () => {
  const { frames, answers } = collecting()
  answers.announceLeaving()
  await nextTurn()
  answers.add(1, [], ignore)
  await nextTurn()

  expect(frames.map(({ head }) => head)).toEqual([
    { ...NOTHING, isLeaving: true },
    { ...NOTHING, answers: [[1]], isLeaving: true },
  ])
})

test('without answers there is no frame', async () => {
  const { frames, answers } = collecting()
  answers.flush()
  await nextTurn()
  expect(frames).toEqual([])
})
