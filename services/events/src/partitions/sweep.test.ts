import { expect, test } from '@jest/globals'
import type { QueueState } from './queue-state.ts'
import { pickIdlest } from './sweep.ts'

const queue = (queue_id: string, lifespan_seconds: number) =>
  ({ record: { queue_id, lifespan_seconds } }) as Pick<QueueState, 'record'>

test('of too many queues those go that were polled least lately, however long they may live', () => {
  const queues = [queue('tab', 600), queue('telephone', 43_200), queue('left', 600), queue('unknown', 600)]
  const endsAt = new Map([
    ['tab', 10_000 + 600],
    ['telephone', 9_000 + 43_200],
    ['left', 9_500 + 600],
  ])

  expect(pickIdlest(queues, endsAt, 2)).toEqual(['unknown', 'telephone'])
})
