import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

/** All messages of a channel, oldest first, as the server has them. */
export async function messagesOf(
  client: ApiClient,
  channel: string,
): Promise<{ id: number; content: string; sender_full_name: string }[]> {
  const all: Awaited<ReturnType<typeof messagesOf>> = []
  for (;;) {
    const { messages, found_newest } = await client.call(endpoints.messaging.getMessages, {
      anchor: String((all.at(-1)?.id ?? 0) + 1),
      num_before: 0,
      num_after: 1_000,
      narrow: [{ operator: 'channel', operand: channel }],
    })
    all.push(...messages)
    if (found_newest) return all
  }
}

/** The value of a metric without labels beyond the service's, at one replica. */
export async function metricOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name}{`) || candidate.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1))
}
