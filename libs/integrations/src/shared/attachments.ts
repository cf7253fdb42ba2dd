import { z } from 'zod'
import { inline, isOpenable, link } from './markdown.ts'

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish()

/** Fields of an attachment as Slack and Mattermost have them; each may be null. */
export const attachmentFields = {
  author_name: text,
  author_link: text,
  title: text,
  title_link: text,
  pretext: text,
  text,
  fields: z.array(z.looseObject({ title: text, value: text })).nullish(),
  image_url: text,
  footer: text,
  ts: z.union([z.number(), z.string()]).nullish(),
  fallback: text,
}

const attachment = z.looseObject(attachmentFields)
type Attachment = z.output<typeof attachment>

/** How the texts of a sender become Markdown. */
export interface TextFormat {
  /** Lines. */
  readonly text: (written: string) => string
  /** A line without links. */
  readonly label: (written: string) => string
}

/** The paragraphs of an attachment; its fallback if there is nothing else. `blocks` are those in it, if it has any. */
export function paragraphsOf(
  attachment: Attachment,
  format: TextFormat,
  blocks: readonly string[] = [],
): readonly string[] {
  const { title, title_link: titleLink, pretext, text: body, image_url: image, footer, fallback } = attachment
  const paragraphs = [
    title ? `## ${link(format.label(title), titleLink)}` : '',
    format.text(pretext ?? ''),
    format.text(body ?? ''),
    (attachment.fields ?? []).map((field) => fieldLine(field, format)).join('\n'),
    ...blocks,
    isOpenable(image) ? link('', image) : '',
    format.text(footer ?? ''),
    timeOf(attachment.ts),
  ].filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.length > 0 ? paragraphs : [format.text(fallback ?? '')].filter((each) => each !== '')
}

function fieldLine({ title, value }: NonNullable<Attachment['fields']>[number], format: TextFormat): string {
  const [name, content] = [title ? `**${inline(format.label(title))}**` : '', format.text(value ?? '')]
  return name !== '' && content !== '' ? `${name}: ${content}` : name + content
}

/** Seconds, perhaps with a fraction, as a number or a text. */
function timeOf(seconds: string | number | null | undefined): string {
  const number = Math.floor(Number(seconds ?? 0))
  return number > 0 && number < 1e11 ? `<time:${number}>` : ''
}

/** The topic that a payload's `channel` asks for. */
export const topicOfChannel = (channel: string | null | undefined): string =>
  channel?.trim().replace(/^[@#]/, '') || '(no topic)'
