import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { PayloadError } from '../kernel/payload-error.ts'
import { inline, markdown } from '../shared/markdown.ts'

export const slack = defineIntegration({
  name: 'slack',
  displayName: 'Slack',
  description: 'Copies of what is said in channels of a Slack workspace.',
  setup: `In Slack, add the app *Outgoing WebHooks*, choose the channel to copy, and enter \`{url}\` under *URL(s)*.
For another channel, add another webhook.

With \`&channels_map_to_topics=1\` at the end of the address, each channel of Slack has a topic of its own; with
\`&channels_map_to_topics=0\`, its messages go to the channel of the same name.`,
  parameters: {
    channels_map_to_topics:
      "`1`: the topic is the name of Slack's channel; `0`: messages go to the channel of that name; left out: to the channel and topic of the address.",
  },
  body: 'fields',
  payload: z.looseObject({
    user_name: z.string(),
    text: z.string(),
    channel_name: z.string().optional(),
  }),
  format: ({ payload, parameters, hasTopic }) => {
    const content = `**${inline(payload.user_name)}**: ${markdown(payload.text)}`
    const mapping = parameters.channels_map_to_topics
    if (mapping === undefined) {
      if (!hasTopic) throw new PayloadError('channels_map_to_topics: missing, as is the topic')
      return message(null, TOPIC, content)
    }
    if (mapping !== '0' && mapping !== '1') throw new PayloadError('channels_map_to_topics: neither 0 nor 1')
    const { channel_name: channel } = payload
    if (channel === undefined) throw new PayloadError('channel_name: missing')
    if (mapping === '1') return message(null, `channel: ${channel}`, content)
    return { kind: 'messages', messages: [{ topic: TOPIC, content, event: null, channel }] }
  },
})

const TOPIC = 'Message from Slack'
