import { z } from 'zod'
import { listOf, text, url } from '../../shared/fields.ts'
import { block, inline, link, quote } from '../../shared/markdown.ts'
import { time } from '../../shared/times.ts'

const frame = z.looseObject({
  filename: text,
  context_line: text,
  pre_context: listOf(text),
  post_context: listOf(text),
})
const exception = z.looseObject({ stacktrace: z.looseObject({ frames: listOf(frame) }).nullish() })

/** An exception or a message that a program logged. */
export const event = z.looseObject({
  event_id: text,
  title: text,
  level: text,
  platform: text,
  web_url: url,
  datetime: text,
  timestamp: z.union([z.string(), z.number()]).nullish(),
  metadata: z.looseObject({ filename: text }).nullish(),
  exception: z.looseObject({ values: listOf(exception.nullish()) }).nullish(),
  logentry: z.looseObject({}).nullish(),
})
type Event = z.output<typeof event>

export const isException = ({ exception }: Event): boolean => Boolean(exception)

/** What happened, where, and the lines of code around it if they are known. */
export function eventText(about: Event, address: string | null | undefined): string {
  const isOfCode = isException(about)
  const filename = about.metadata?.filename ?? ''
  const lines = [
    `**level:** ${inline(about.level || 'error')}`,
    `**timestamp:** ${time(about.datetime || about.timestamp) ?? '?'}`,
    ...(isOfCode && filename !== '' ? [`**filename:** ${inline(filename)}`] : []),
  ]
  const head = `**New ${isOfCode ? 'exception' : 'message event'}:** ${link(about.title || 'Event', address)}`
  const code = codeAround(about, filename)
  return [head, quote(lines.join('\n')), ...(code === null ? [] : [`Traceback:\n${code}`])].join('\n\n')
}

const LANGUAGES: ReadonlyMap<string, string> = new Map([
  ['go', 'go'],
  ['java', 'java'],
  ['javascript', 'javascript'],
  ['node', 'javascript'],
  ['python', 'python3'],
  ['ruby', 'ruby'],
  ['php', 'php'],
  ['csharp', 'csharp'],
  ['rust', 'rust'],
])

/** The failing line of a file with the lines around it; null if they aren't known. */
function codeAround({ exception, platform }: Event, filename: string): string | null {
  const frames = (exception?.values ?? []).flatMap((each) => each?.stacktrace?.frames ?? [])
  // The innermost comes last.
  const failing = frames.findLast((each) => each.filename === filename && each.context_line !== '')
  if (!failing) return null
  const lines = [
    ...failing.pre_context.map((line) => `     ${line}`),
    `---> ${failing.context_line}`,
    ...failing.post_context.map((line) => `     ${line}`),
  ]
  return block(lines.join('\n'), LANGUAGES.get(platform) ?? 'text')
}
