import { expect, test } from 'vitest'
import type { PollAnswer, PollOptions } from './partition-store.ts'
import { PollBatches } from './poll-batches.ts'

const optionsOf = (queueId: string) => ({ queueId }) as PollOptions
const answerOf = ({ queueId }: PollOptions) => ({ status: 'missing', offset: Number(queueId) }) as PollAnswer

test('the polls of one turn are a call for each partition, and each gets its own answer', async () => {
  const calls: [number, number][] = []
  const batches = new PollBatches(async (partition, polls) => {
    calls.push([partition, polls.length])
    return polls.map(answerOf)
  })

  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => batches.poll(at % 2, optionsOf(String(at)))),
  )
  await batches.poll(0, optionsOf('7'))

  expect(calls).toEqual([
    [0, 3],
    [1, 3],
    [0, 1],
  ])
  expect(answers).toEqual([0, 1, 2, 3, 4, 5].map((offset) => ({ status: 'missing', offset })))
})

test('a call has at most 64 polls', async () => {
  const sizes: number[] = []
  const batches = new PollBatches(async (_partition, polls) => {
    sizes.push(polls.length)
    return polls.map(answerOf)
  })

  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, at) => batches.poll(0, optionsOf(String(at)))),
  )

  expect(sizes).toEqual([64, 64, 22])
  expect(answers.map((answer) => answer.status === 'missing' && answer.offset)).toEqual(
    Array.from({ length: 150 }, (_, at) => at),
  )
})

test('a poll that fails leaves the others their answers', async () => {
  const batches = new PollBatches(async (_partition, [first, ...others]) => [
    new Error(`no ${first?.queueId}`),
    ...others.map(answerOf),
  ])

  const outcomes = await Promise.allSettled(['1', '2'].map((queueId) => batches.poll(0, optionsOf(queueId))))

  expect(outcomes).toEqual([
    { status: 'rejected', reason: new Error('no 1') },
    { status: 'fulfilled', value: { status: 'missing', offset: 2 } },
  ])
})

test('a call that fails fails its polls', async () => {
  const batches = new PollBatches(async () => {
    throw new Error('Redis is down')
  })
  await expect(batches.poll(0, optionsOf('1'))).rejects.toThrow('Redis is down')
})
