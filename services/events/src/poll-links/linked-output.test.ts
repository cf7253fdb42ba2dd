import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PollLinkAnswers, STREAM_WINDOW } from '@tms/contracts'
import { beforeEach, expect, test } from 'vitest'
import { AnswerFrames } from './answer-frames.ts'
import { LinkedOutput } from './linked-output.ts'

const NUMBER = 7
let frames: PollLinkAnswers[]
let drained: number
let isOver: boolean
let output: LinkedOutput

beforeEach(() => {
  frames = []
  drained = 0
  isOver = false
  const answers = new AnswerFrames(([head = '']) => frames.push(JSON.parse(head) as PollLinkAnswers))
  output = new LinkedOutput(NUMBER, answers, {
    onDrained: () => drained++,
    onOver: () => {
      isOver = true
    },
  })
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

const LARGE = 'x'.repeat(STREAM_WINDOW + 1)

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
