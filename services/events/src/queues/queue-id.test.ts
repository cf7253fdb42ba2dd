import { expect, test } from 'vitest'
import { checkOwnQueue, newQueueId } from './queue-id.ts'

test('a token opens its own queues alone, and the API key opens all', () => {
  const [ofKey, ofToken] = [newQueueId({}), newQueueId({ tokenId: 12 })]
  const refusal = expect.objectContaining({ code: 'BAD_EVENT_QUEUE_ID' })

  expect(() => checkOwnQueue({ tokenId: 12 }, ofToken)).not.toThrow()
  for (const queueId of [ofKey, ofToken]) {
    expect(() => checkOwnQueue({}, queueId)).not.toThrow()
    for (const tokenId of [1, 2, 112]) expect(() => checkOwnQueue({ tokenId }, queueId)).toThrow(refusal)
  }
  expect(() => checkOwnQueue({ tokenId: 12 }, ofKey)).toThrow(refusal)
})
