import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PollLinkAnswers, STREAM_WINDOW } from '@tms/contracts'
import { beforeEach, expect, test } from 'vitest'
import { AnswerFrames } from './answer-frames.ts'
import { LinkedOutput } from './linked-output.ts'

const NUMBER = 7
let frames: PollLinkAnswers[]
let drained: number
let isOver: boolean
let unsent: number
let output: LinkedOutput
/** Another output over the same link. */
let outputOf: () => LinkedOutput

beforeEach(() => {
  frames = []
  drained = 0
  isOver = false
  unsent = 0
  const answers = new AnswerFrames({
    send: ([head = '']) => void frames.push(JSON.parse(head) as PollLinkAnswers),
    unsentBytes: () => unsent,
  })
  outputOf = () =>
    new LinkedOutput(NUMBER, answers, {
      stream: { onDrained: () => drained++ },
      client: {
        close: () => {
          isOver = true
        },
      },
    })
  output = outputOf()
})

test('a stream without events is opened all the same, once', async () => {
  output.open()
  await nextTurn()
  output.writeEvents(['a'])
  output.open()
  await nextTurn()

  expect(frames.map(({ streamed }) => streamed)).toEqual([[[NUMBER]], [[NUMBER, 0]]])
})

test('a client that has not taken a window of events is behind, until it takes some', async () => {
  const half = 'x'.repeat(STREAM_WINDOW / 2)
  output.writeEvents([half])
  expect(output.isBehind).toBe(false)
  output.writeEvents([half])
  expect([output.isBehind, output.taken, drained]).toEqual([true, 0, 0])

  output.onTaken(half.length)

  expect([output.isBehind, output.taken, drained]).toEqual([false, half.length, 1])
  await nextTurn()
})

test('what a client has taken is counted in bytes', async () => {
  output.writeEvents(['語'.repeat(STREAM_WINDOW / 4)])
  expect(output.isBehind).toBe(false)
  output.writeEvents(['語'.repeat(STREAM_WINDOW / 4)])
  expect(output.isBehind).toBe(true)

  output.onTaken(STREAM_WINDOW)

  expect([output.isBehind, drained]).toEqual([false, 1])
  await nextTurn()
})

test('a stream writes nothing while its link has much to send, and goes on when that is sent', async () => {
  output.writeEvents(['a'])
  expect(output.mayWrite).toBe(true)
  unsent = 5 * 1024 * 1024
  output.onLinkDrained()
  expect([output.mayWrite, output.isBehind, drained]).toEqual([false, false, 0])

  unsent = 0
  output.onLinkDrained()

  expect([output.mayWrite, drained]).toEqual([true, 1])
  await nextTurn()
})

const LARGE = 'x'.repeat(1024 * 1024 + 1)

test('a large event is written like others, and waited for', async () => {
  const large = 'x'.repeat(800_000)
  output.writeEvents(['a'])
  output.writeEvents([large])
  await nextTurn()
  expect(frames).toMatchObject([
    {
      streamed: [
        [NUMBER, 0],
        [NUMBER, 1],
      ],
      ended: [],
      returned: [],
    },
  ])
  expect([output.isBehind, output.mayEnd]).toEqual([true, false])

  output.onTaken(large.length + 1)

  expect([output.isBehind, output.mayEnd, drained, isOver]).toEqual([false, true, 1, false])
})

test('a stream that comes to a large event while too many are under way ends, until clients have taken or left them', async () => {
  const others = [...'abcdefgh'].map(() => outputOf())
  for (const [at, other] of others.entries()) other.writeEvents([String(at).repeat(1024 * 1024)])
  output.writeEvents(['x'.repeat(1024 * 1024)])
  expect(isOver).toBe(true)

  others[0]?.release()
  isOver = false
  outputOf().writeEvents(['x'.repeat(1024 * 1024)])
  expect(isOver).toBe(false)
  await nextTurn()
})

test('a client that has yet to take a large event is cut off when too many are under way', async () => {
  const large = () => 'x'.repeat(1024 * 1024)
  output.writeEvents([large()])
  output.onTaken(1024 * 1024 - 1)
  for (const letter of 'abcdefg') outputOf().writeEvents([letter.repeat(1024 * 1024)])
  output.writeEvents(['y'.repeat(1024 * 1024)])
  await nextTurn()

  expect(isOver).toBe(true)
  expect(frames.at(-1)).toMatchObject({ ended: [[NUMBER, 'cut_off']] })
})

test('a stream that begins with an event too large for a link becomes a request', async () => {
  output.writeEvents([LARGE])
  output.open()
  await nextTurn()

  expect(isOver).toBe(true)
  expect(frames).toMatchObject([{ streamed: [], ended: [], returned: [NUMBER] }])
})

test('an open stream ends at an event too large for a link', async () => {
  output.writeEvents(['a'])
  output.writeEvents([LARGE])
  output.writeEvents(['b'])
  await nextTurn()

  expect(isOver).toBe(true)
  expect(frames).toMatchObject([{ streamed: [[NUMBER, 0]], ended: [[NUMBER, 'ended']], returned: [] }])
})

test.each([
  ['superseded', () => output.writeSuperseded()],
  ['ended', () => {}],
] as const)('the gateway learns that a stream was %s', async (end, prepare) => {
  output.open()
  prepare()
  output.end()
  await nextTurn()

  expect(frames).toMatchObject([{ ended: [[NUMBER, end]] }])
})

test('the gateway learns that a client that does not read is cut off', async () => {
  output.open()
  output.destroy()
  output.end()
  await nextTurn()

  expect(frames).toMatchObject([{ ended: [[NUMBER, 'cut_off']] }])
  expect(isOver).toBe(true)
})
