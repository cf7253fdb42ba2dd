import mustache from 'mustache'
import { PayloadError } from '../kernel/payload-error.ts'
import { block, code, isOpenable, label, markdown, target, withoutMentions } from './markdown.ts'

/** An address has room for no more. */
const MAX_TEMPLATE_LENGTH = 4_000
/** What is longer is cut: more than any message may have. */
const MAX_LENGTH = 25_000
/** Texts, values and items of lists that are rendered. Lists within lists multiply them, so a short template can ask for any number. */
const MAX_STEPS = 100_000
/** A name is looked for in every section around it. */
const MAX_DEPTH = 20
/** Longer names are found in no payload. */
const MAX_NAME_LENGTH = 255
/** Looking a long path up takes longer: for each so many characters it counts as one more. */
const CHARACTERS_OF_STEP = 8

/** A template that has been checked. Throws PayloadError if the payload makes it too long to render. */
export type Template = (payload: unknown) => string

/**
 * A template in the language of Mustache, without partials. Throws PayloadError that says where it is wrong; `name` is
 * the parameter's. Values in a template of Markdown can't mention anybody or break the text around them, while the
 * mentions that the template itself has are those of its author.
 */
export function parseTemplate(name: string, source: string, kind: 'markdown' | 'line'): Template {
  if (source.length > MAX_TEMPLATE_LENGTH)
    throw new PayloadError(`${name}: longer than ${MAX_TEMPLATE_LENGTH} characters`)
  const tokens = tokensOf(name, source)
  return (payload) => {
    const writer = kind === 'markdown' ? new MarkdownWriter(name) : new LineWriter(name)
    return writer.write(tokens, new OwnContext(payload))
  }
}

type Token = string[]

function tokensOf(name: string, source: string): Token[] {
  try {
    const tokens = new mustache.Writer().parse(source) as Token[]
    refuseOthers(name, tokens)
    return tokens
  } catch (error) {
    if (error instanceof PayloadError) throw error
    throw new PayloadError(`${name}: ${problemOf(error as Error, source)}`)
  }
}

/** What the parser says, from character 1 on, and of a tag without an end where it begins. */
function problemOf({ message }: Error, source: string): string {
  const [, what = message, at] = /^([^]*) at (\d+)$/.exec(message) ?? []
  const text = what.charAt(0).toLowerCase() + what.slice(1)
  if (at === undefined) return text
  const position = text === 'unclosed tag' ? source.lastIndexOf('{{') : Number(at)
  return position >= source.length ? `${text} at the end` : `${text} at character ${position + 1}`
}

/** Refuses what the library would take. */
function refuseOthers(name: string, tokens: readonly (readonly unknown[])[], depth = 0): void {
  for (const [type, value, start, , within] of tokens) {
    const at = `at character ${Number(start) + 1}`
    if (type === '>') throw new PayloadError(`${name}: no partials, such as "${String(value)}" ${at}`)
    if (type !== 'text' && String(value).length > MAX_NAME_LENGTH)
      throw new PayloadError(`${name}: a name longer than ${MAX_NAME_LENGTH} characters ${at}`)
    if (!Array.isArray(within)) continue
    if (depth >= MAX_DEPTH)
      throw new PayloadError(`${name}: more than ${MAX_DEPTH} sections within each other ${at}`)
    refuseOthers(name, within as unknown[][], depth + 1)
  }
}

/** Finds names among the fields of JSON alone, and not among what every object and list inherits. */
class OwnContext extends mustache.Context {
  override push(view: unknown): OwnContext {
    return new OwnContext(view, this)
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view
    const found = find(this.view, name)
    return found ? found.value : this.parent?.lookup(name)
  }
}

/** The value of a path, whose parts may contain dots themselves, as names of labels do. Null if it isn't there. */
function find(view: unknown, path: string): { readonly value: unknown } | null {
  if (typeof view !== 'object' || view === null) return null
  if (Object.hasOwn(view, path)) return { value: (view as Record<string, unknown>)[path] }
  const dot = path.indexOf('.')
  const first = path.slice(0, dot)
  if (dot < 1 || !Object.hasOwn(view, first)) return null
  // Once its beginning is found, a path is not looked for further out.
  return find((view as Record<string, unknown>)[first], path.slice(dot + 1)) ?? { value: undefined }
}

/** Ends a rendering that has become long enough. */
const LONG_ENOUGH = new Error('long enough')

/** Renders up to a limit of time and length. Parts are kept as they are made, so that a long rendering can end at once. */
abstract class BoundedWriter extends mustache.Writer {
  readonly #name: string
  readonly #parts: string[] = []
  #steps = 0
  #length = 0

  constructor(name: string) {
    super()
    this.#name = name
  }

  /** What the template itself says. */
  protected abstract text(text: string): string
  protected abstract value(text: string): string
  protected abstract object(json: object): string
  protected abstract unescaped(value: string | object): string
  protected abstract finish(rendered: string): string

  write(tokens: Token[], context: mustache.Context): string {
    try {
      this.renderTokens(tokens, context)
    } catch (error) {
      if (error !== LONG_ENOUGH) throw error
    }
    return this.finish(this.#parts.join(''))
  }

  /** Called for each item of a list too, also if there is nothing to render of it. */
  override renderTokens(tokens: Token[], context: mustache.Context): string {
    this.#count(1)
    for (const token of tokens) {
      const [type, name = ''] = token
      this.#count(type === 'text' ? 1 : 1 + name.length / CHARACTERS_OF_STEP)
      // Without its last parameters, which partials and functions would need.
      super.renderTokens([token], context)
    }
    return ''
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS)
      throw new PayloadError(`${this.#name}: more than ${MAX_STEPS} parts to render`)
  }

  override rawValue([, text = '']: Token): string {
    return this.#keep(text, this.text(text))
  }

  override escapedValue(token: Token, context: mustache.Context): string {
    return this.#written(context.lookup(token[1] ?? ''), (value) =>
      typeof value === 'object' ? this.object(value) : this.value(value),
    )
  }

  override unescapedValue(token: Token, context: mustache.Context): string {
    return this.#written(context.lookup(token[1] ?? ''), (value) => this.unescaped(value))
  }

  #written(value: unknown, write: (value: string | object) => string): string {
    if (value === null || value === undefined) return ''
    if (typeof value === 'object') return this.#keep(JSON.stringify(value), write(value))
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_LENGTH)
    return this.#keep(text, write(text))
  }

  /** What was read counts too, as it takes time. */
  #keep(read: string, written: string): string {
    this.#parts.push(written)
    this.#length += Math.max(read.length, written.length)
    if (this.#length > MAX_LENGTH) throw LONG_ENOUGH
    return ''
  }
}

class LineWriter extends BoundedWriter {
  protected override text(text: string): string {
    return text
  }

  protected override value(text: string): string {
    return text
  }

  protected override object(json: object): string {
    return JSON.stringify(json)
  }

  protected override unescaped(value: string | object): string {
    return typeof value === 'object' ? this.object(value) : value
  }

  protected override finish(rendered: string): string {
    return rendered.replace(/\s+/g, ' ').trim()
  }
}

/** `@**…**` and `@*…*`, written out. */
const MENTION = /@\*{1,2}[^*\n]+\*{1,2}/g

class MarkdownWriter extends BoundedWriter {
  readonly #mentions: string[] = []

  protected override text(text: string): string {
    return text
      .replace(MARKS, '')
      .replace(MENTION, (mention) => `\uE000${this.#mentions.push(mention) - 1}\uE001`)
  }

  protected override value(text: string): string {
    const isAddress = isOpenable(text) && !/\s/.test(text)
    return (isAddress ? target(text) : label(text)).replace(MARKS, '')
  }

  protected override object(json: object): string {
    return code(JSON.stringify(json).slice(0, MAX_LENGTH)).replace(MARKS, '')
  }

  protected override unescaped(value: string | object): string {
    const text = typeof value === 'object' ? block(indented(value), 'json') : markdown(value)
    return text.replace(MARKS, '')
  }

  // A value may complete what the text before it has begun, so mentions are looked for in the whole.
  protected override finish(rendered: string): string {
    return withoutMentions(rendered).replace(
      /\uE000(\d+)\uE001/g,
      (_mark, number: string) => this.#mentions[Number(number)] ?? '',
    )
  }
}

/** They surround the number of a mention. */
const MARKS = /[\uE000\uE001]/g

/** JSON on lines; on one and cut if it is long, as deep JSON grows a hundredfold when it is indented. */
export function indented(value: object): string {
  const text = JSON.stringify(value)
  return text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : JSON.stringify(value, null, 2)
}
