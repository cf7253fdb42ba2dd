import type { Tls } from '../servers/tls-files.ts'
import { ask } from './ask.ts'

const channels = [
  { name: 'general', description: 'For everyone and everything' },
  { name: 'random', description: 'What fits nowhere else' },
  { name: 'announcements', description: 'News that concern everyone' },
]

export type ChannelsOptions = {
  /** Base URL of the gateway. */
  gateway: string
  /** Where clients reach the organization, whose host says which one is meant. */
  address: string
  owner: { email: string; apiKey: string }
  /** How a gateway with `https:` is known. */
  tls?: Tls | undefined
}

/**
 * Creates the channels that newcomers get, unless there is any channel: then somebody has been at work. Returns whether it
 * did. Throws what the gateway refused, or that it doesn't answer.
 */
export async function createDefaultChannels({
  gateway,
  address,
  owner,
  tls,
}: ChannelsOptions): Promise<boolean> {
  const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}`, host: new URL(address).host }
  const whom = 'gateway'
  const { streams } = await ask({ whom, url: `${gateway}/api/v1/streams`, headers, tls })
  if (Array.isArray(streams) && streams.length > 0) return false
  await ask({
    whom,
    url: `${gateway}/api/v1/users/me/subscriptions`,
    headers,
    tls,
    body: { form: { subscriptions: JSON.stringify(channels), is_default_stream: 'true' } },
  })
  return true
}
