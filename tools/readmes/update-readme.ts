import {
  calledServices,
  consumedEvents,
  emittedEvents,
  type ListItem,
  servedToClients,
  servedToServices,
} from './service-lists.ts'

const MAX_WIDTH = 130

/** Lists by the beginning of their paragraph. */
const LISTS: Readonly<Record<string, (service: string) => ListItem[]>> = {
  '**Serves** to clients': servedToClients,
  '**Serves** to services': servedToServices,
  '**Calls**': calledServices,
  '**Emits**': emittedEvents,
  '**Consumes**': consumedEvents,
}

/**
 * The text of a service's README with its lists brought up to date. A paragraph without items, such as `**Emits**: nothing`,
 * stays if there is nothing to list. Throws if a list has no paragraph.
 */
export function updateReadme(service: string, readme: string): string {
  return Object.entries(LISTS).reduce((text, [beginning, list]) => {
    const items = list(service)
    const paragraphs = text.split('\n\n')
    const at = paragraphs.findIndex((paragraph) => paragraph.startsWith(beginning))
    if (at === -1 && items.length > 0)
      throw new Error(`The README of ${service} has no paragraph ${beginning}`)
    return paragraphs
      .map((paragraph, i) => (i === at ? updateParagraph(paragraph, items) : paragraph))
      .join('\n\n')
  }, readme)
}

function updateParagraph(paragraph: string, items: readonly ListItem[]): string {
  const line = paragraph.replaceAll('\n', ' ')
  const [heading = ''] = /^\*\*\w+\*\*[^:]*: /.exec(line) ?? []
  if (items.length === 0) return ITEM.test(line) ? `${heading}nothing` : paragraph
  const remarks = remarksIn(line)
  const texts = items.map(({ key, text }) => (remarks.has(key) ? `${text} (${remarks.get(key)})` : text))
  return wrap(heading, texts)
}

/** An endpoint, a call or an event. */
const ITEM = /`(?:(?:GET|POST|PUT|PATCH|DELETE) \/|\/internal\/|\w+\.\w+\.v\d)/

/** Remarks by the item that they follow. */
const remarksIn = (line: string): ReadonlyMap<string, string> =>
  new Map(
    [...line.matchAll(/`(?:[A-Z]+ )?([^` ]+)` \(([^()]+)\)/g)].map(([, key = '', remark = '']) => [
      key,
      remark,
    ]),
  )

/** Breaks lines between items, and within remarks. */
function wrap(heading: string, texts: readonly string[]): string {
  const lines = [heading.trimEnd()]
  for (const word of texts.flatMap((text, i) => wordsOf(i < texts.length - 1 ? `${text} ·` : text))) {
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + word.length > MAX_WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

/** The parts of an item that may be on different lines. The item itself may not, nor may a line begin with a separator. */
function wordsOf(text: string): string[] {
  const at = text.indexOf(' (')
  if (at === -1) return [text]
  return [text.slice(0, at), ...(text.slice(at + 1).match(/\S+(?: ·$)?/g) ?? [])]
}
