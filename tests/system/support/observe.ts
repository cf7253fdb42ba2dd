import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'

/** All messages of a channel from oldest to newest, as the server has them. */
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

/** The value of a metric at one replica, as the sum over all labels; NaN if it is missing. */
export async function metricOf(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text
    .split('\n')
    .filter((candidate) => candidate.startsWith(`${name}{`) || candidate.startsWith(`${name} `))
  if (lines.length === 0) return Number.NaN
  return lines.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0)
}
