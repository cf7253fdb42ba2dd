import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { seersOf } from '../channel-audience.ts'
import { channelRecord } from '../records.ts'

/**
 * Comes before the first `subscribersAdded` of the channel. Those who only see it by subscribing learn of it
 * from that one.
 */
export const channelCreated = domainEvent({
  name: 'messaging.channel_created.v1',
  producer: 'messaging',
  summary: 'A channel was created',
  payload: z.object({ channel: channelRecord }),
  audience: ({ channel }) => seersOf(channel),
})
