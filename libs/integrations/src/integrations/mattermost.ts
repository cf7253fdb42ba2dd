import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { PayloadError } from '../kernel/payload-error.ts'
import { attachmentFields, paragraphsOf, type TextFormat, topicOfChannel } from '../shared/attachments.ts'
import { inline, isOpenable, link, markdown } from '../shared/markdown.ts'

export const mattermost = defineIntegration({
  name: 'mattermost',
  displayName: 'Mattermost-compatible webhook',
  description: 'Messages of whatever can post to an incoming webhook of Mattermost.',
  setup: `Where the sender asks for the address of Mattermost's incoming webhook, enter \`{url}\`. A channel that the
sender names becomes the topic, unless the address names one.`,
  body: 'form',
  answer: 'ok',
  payload: z.looseObject({
    channel: z.string().nullish(),
    text: z.string().nullish(),
    attachments: z.array(z.looseObject(attachmentFields)).nullish(),
  }),
  format: ({ payload }) => {
    const paragraphs = [
      FORMAT.text(payload.text ?? ''),
      ...(payload.attachments ?? []).flatMap((each) => [authorOf(each), ...paragraphsOf(each, FORMAT)]),
    ].filter((paragraph) => paragraph !== '')
    if (paragraphs.length === 0) throw new PayloadError('text: missing, as are attachments')
    return message(null, topicOfChannel(payload.channel), paragraphs.join('\n\n'))
  },
})

/** Markdown already, except for the links and mentions of Slack. */
const FORMAT: TextFormat = {
  text: (written) => outsideCode(written, (text) => withSlackParts(text, (label, url) => link(label, url))),
  label: (written) => withSlackParts(written, (label) => label),
}

/** Code is a block or a span here as in Slack's markup. */
const outsideCode = (text: string, change: (text: string) => string): string =>
  markdown(
    text
      .split(/(```[\s\S]*?```|`[^`\n]+`)/)
      .map((part, i) => (i % 2 === 0 ? change(part) : part))
      .join(''),
  )

const withSlackParts = (text: string, linkOf: (label: string, url: string) => string): string =>
  text
    .replace(/<([^<>|\n]+)\|([^<>\n]+)>/g, (written, url: string, label: string) =>
      isOpenable(url) ? linkOf(label, url) : written,
    )
    .replace(/<!(channel|here|all)(?:\|[^<>\n]*)?>/g, '@$1')
    .replace(/<@([^<>\n]+)>/g, '@$1')

const authorOf = ({
  author_name: name,
  author_link: url,
}: {
  readonly author_name?: string | null | undefined
  readonly author_link?: string | null | undefined
}): string => (name ? `*${link(inline(name), url)}*` : '')
