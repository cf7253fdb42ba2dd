import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

/** IDs of the messages that a search finds, from oldest to newest; further terms restrict it. */
export async function findTexts(client: ApiClient, text: string, ...terms: object[]): Promise<number[]> {
  const { messages } = await client.call(endpoints.messaging.getMessages, {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'search', operand: text }, ...terms],
  })
  return messages.map(({ id }) => id)
}
