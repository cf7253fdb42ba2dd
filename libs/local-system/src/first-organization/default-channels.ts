import type { Tls } from '../servers/tls-files.ts'
import { requestService } from './request-service.ts'

const channels = [
  { name: 'general', description: 'For everyone and everything' },
  { name: 'random', description: 'What fits nowhere else' },
  { name: 'announcements', description: 'News that concern everyone' },
]

export type ChannelsOptions = {
  /** Base URL of the gateway. */
  gateway: string
  /** URL that clients use, whose host identifies the organization. */
  address: string
  owner: { email: string; apiKey: string }
  /** TLS settings for an `https:` URL. */
  tls?: Tls | undefined
}

/**
 * Creates the default channels of new users, unless there is any channel, because then somebody has set the
 * organization up. Returns whether it created them. Throws the gateway's error, or that it doesn't answer.
 */
export async function createDefaultChannels({
  gateway,
  address,
  owner,
  tls,
}: ChannelsOptions): Promise<boolean> {
  const credentials = Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')
  const headers = { authorization: `Basic ${credentials}`, host: new URL(address).host }
  const serviceName = 'gateway'
  const { streams } = await requestService({ serviceName, url: `${gateway}/api/v1/streams`, headers, tls })
  if (Array.isArray(streams) && streams.length > 0) return false
  await requestService({
    serviceName,
    url: `${gateway}/api/v1/users/me/subscriptions`,
    headers,
    tls,
    body: { form: { subscriptions: JSON.stringify(channels), is_default_stream: 'true' } },
  })
  return true
}
