import { setImmediate as nextTurn } from 'node:timers/promises'
import { JsonText } from '@tms/contracts'

/** List items serialized at a time: a millisecond or two of work. */
const PIECE = 500
/** Characters per part: fewer make many small writes, more a long copy. */
const PART_LENGTH = 65_536

/** A list whose items are serialized already: texts of one or several items each, without brackets, none empty. */
export class WrittenList {
  readonly texts: readonly Uint8Array[]

  constructor(texts: readonly Uint8Array[]) {
    this.texts = texts
  }
}

/** A value that is JSON already. */
export class WrittenJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Collects the parts of a text. */
class Parts {
  readonly #parts: Uint8Array[] = []
  #length = 0
  #text = ''

  addText(text: string): void {
    this.#text += text
    if (this.#text.length >= PART_LENGTH) this.#flush()
  }

  /** Stores the bytes without copying them. */
  addBytes(bytes: Uint8Array): void {
    this.#flush()
    this.#parts.push(bytes)
    this.#length += bytes.length
  }

  finish(): JsonText {
    this.#flush()
    return new JsonText(this.#parts, this.#length)
  }

  #flush(): void {
    if (this.#text === '') return
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}

/**
 * Serializes an object as `JSON.stringify` does. A list, or a generator of list items, is serialized piece by piece,
 * so that other requests are served meanwhile; a `WrittenList` and a `WrittenJson` are taken as they are.
 */
export async function writeJsonText(fields: Readonly<Record<string, unknown>>): Promise<JsonText> {
  const parts = new Parts()
  let separator = '{'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    parts.addText(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (value instanceof WrittenList) takeList(value, parts)
    else if (value instanceof WrittenJson) parts.addText(value.text)
    else if (isList(value)) await writeList(value, parts)
    else parts.addText(JSON.stringify(value))
  }
  parts.addText(separator === '{' ? '{}' : '}')
  return parts.finish()
}

function takeList({ texts }: WrittenList, parts: Parts): void {
  parts.addText('[')
  for (const [index, text] of texts.entries()) {
    if (index > 0) parts.addText(',')
    parts.addBytes(text)
  }
  parts.addText(']')
}

async function writeList(list: Iterable<unknown>, parts: Parts): Promise<void> {
  let separator = '['
  let piece: unknown[] = []
  const write = () => {
    parts.addText(separator + JSON.stringify(piece).slice(1, -1))
    separator = ','
    piece = []
  }
  for (const item of list) {
    piece.push(item)
    if (piece.length < PIECE) continue
    write()
    await nextTurn()
  }
  if (piece.length > 0 || separator === '[') write()
  parts.addText(']')
}

const isList = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
