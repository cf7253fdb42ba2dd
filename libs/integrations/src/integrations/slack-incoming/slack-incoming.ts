import { z } from 'zod'
import { defineIntegration, ignored, message } from '../../kernel/integration.ts'
import { attachmentFields, paragraphsOf, topicOfChannel } from '../../shared/attachments.ts'
import { inline } from '../../shared/markdown.ts'
import { mrkdwn, mrkdwnLabel } from '../../shared/mrkdwn.ts'
import { block, paragraphsOfBlock } from './blocks.ts'

const blocks = z.array(block).nullish()

export const slackIncoming = defineIntegration({
  name: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  description: 'Messages of whatever can post to an incoming webhook of Slack.',
  setup: `Where the sender asks for the address of Slack's incoming webhook, enter \`{url}\`. A channel that the sender
names becomes the topic, unless the address names one.

In Alertmanager's configuration:

\`\`\`yaml
receivers:
  - name: chat
    slack_configs:
      - api_url: "{url}"
        channel: "alerts"
\`\`\`

In Grafana, add a contact point of the type *Slack*, and enter the address as *Webhook URL*.`,
  body: 'form',
  answer: 'ok',
  payload: z.looseObject({
    channel: z.string().nullish(),
    text: z.string().nullish(),
    icon_emoji: z.string().nullish(),
    blocks,
    attachments: z.array(z.looseObject({ ...attachmentFields, blocks })).nullish(),
  }),
  format: ({ payload }) => {
    const paragraphs = [
      ...shown(payload.blocks),
      ...(payload.attachments ?? []).flatMap((each) =>
        paragraphsOf(each, { text: mrkdwn, label: mrkdwnLabel }, shown(each.blocks)),
      ),
    ]
    const content = paragraphs.length > 0 ? paragraphs.join('\n\n') : textWithIcon(payload)
    return content === '' ? ignored : message(null, topicOfChannel(payload.channel), content)
  },
})

const shown = (written: z.output<typeof blocks>): readonly string[] =>
  (written ?? []).flatMap(paragraphsOfBlock).filter((paragraph) => paragraph !== '')

function textWithIcon({
  text,
  icon_emoji: icon,
}: {
  readonly text?: string | null | undefined
  readonly icon_emoji?: string | null | undefined
}): string {
  const content = mrkdwn(text ?? '')
  return content !== '' && icon ? `${inline(icon)} ${content}` : content
}
