import { z } from 'zod'
import { inline, isOpenable, link, markdown } from '../../shared/markdown.ts'
import { mrkdwn, mrkdwnLabel } from '../../shared/mrkdwn.ts'

const text = z.looseObject({ type: z.string(), text: z.string() })
const image = z.looseObject({
  type: z.literal('image'),
  image_url: z.string().nullish(),
  slack_file: z.looseObject({ url: z.string().nullish() }).nullish(),
  alt_text: z.string().nullish(),
  title: text.nullish(),
})
type Image = z.output<typeof image>

/** They have nothing to read, or nothing that a message can show. */
const SILENT = [
  'actions',
  'call',
  'condition',
  'contact_card',
  'context_actions',
  'file',
  'input',
  'rich_text',
  'share_shortcut',
  'table',
  'video',
] as const

export const block = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('header'), text }),
  z.looseObject({
    type: z.literal('section'),
    text: text.nullish(),
    accessory: z.union([image, z.looseObject({ type: z.string() })]).nullish(),
    fields: z.array(text).nullish(),
  }),
  z.looseObject({
    type: z.literal('context'),
    elements: z.array(z.union([image, text])),
  }),
  z.looseObject({ type: z.literal('divider') }),
  image,
  z.looseObject({ type: z.literal('markdown'), text: z.string() }),
  z.looseObject({ type: z.enum(SILENT) }),
])
type Block = z.output<typeof block>

/** The paragraphs of a block. */
export function paragraphsOfBlock(block: Block): readonly string[] {
  switch (block.type) {
    case 'header':
      return [heading(block.text.text)]
    case 'section':
      return [
        mrkdwn(block.text?.text ?? ''),
        isImage(block.accessory) ? imageLink(block.accessory) : '',
        table((block.fields ?? []).map((field) => field.text)),
      ]
    case 'context':
      return block.elements.map((element) => (isImage(element) ? imageLink(element) : mrkdwn(element.text)))
    case 'divider':
      return ['----']
    case 'image':
      return [imageLink(block)]
    case 'markdown':
      return [markdown(block.text)]
    default:
      return []
  }
}

const isImage = (element: object | null | undefined): element is Image => image.safeParse(element).success

function heading(written: string): string {
  const line = inline(mrkdwnLabel(written))
  return line === '' ? '' : `## ${line}`
}

function imageLink({ title, alt_text: alternative, image_url: url, slack_file: file }: Image): string {
  const name = mrkdwnLabel(title?.text || alternative || '')
  const address = url ?? file?.url
  return name !== '' || isOpenable(address) ? link(name, address) : ''
}

/** One field is a text; more are rows of two. */
function table(fields: readonly string[]): string {
  const [first] = fields
  if (first === undefined) return ''
  if (fields.length === 1) return mrkdwn(first)
  const cells = fields.map((field) => inline(mrkdwn(field)).replaceAll('|', ' '))
  const rows = cells.flatMap((cell, i) => (i % 2 === 0 ? [`| ${cell} | ${cells[i + 1] ?? ''} |`] : []))
  return ['| | |', '|-|-|', ...rows].join('\n')
}
