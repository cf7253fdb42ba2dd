import { setImmediate as nextTurn } from 'node:timers/promises'
import { JsonFields } from '@tms/contracts'
import { deflateText, joinSums, NO_TEXT } from '../deflate/deflated-text.ts'
import { SharedText } from '../deflate/shared-text.ts'

/** List items serialized at a time: a millisecond or two of work. */
const PIECE = 500
/** Characters per part: fewer make many small writes, more a long copy. */
const PART_LENGTH = 65_536
/** Fields with fewer bytes of shared texts are not deflated: passing them on costs little, inflating them a stream. */
const MIN_SHARED_BYTES = 65_536

/** Several items of a list as JSON, separated by commas. */
export type WrittenItems = Uint8Array | SharedText

/** Serializes items for a `WrittenList`. */
export const writeItems = (items: readonly unknown[]): Buffer =>
  Buffer.from(JSON.stringify(items).slice(1, -1))

/** A list whose items are serialized already: texts of one or several items each, without brackets, none empty. */
export class WrittenList {
  readonly texts: readonly WrittenItems[]

  constructor(texts: readonly WrittenItems[]) {
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
  readonly #parts: WrittenItems[] = []
  #length = 0
  #sharedLength = 0
  #text = ''

  addText(text: string): void {
    this.#text += text
    if (this.#text.length >= PART_LENGTH) this.#flush()
  }

  /** Stores the items without copying them. */
  addItems(items: WrittenItems): void {
    this.#flush()
    this.#parts.push(items)
    this.#length += items.length
    if (items instanceof SharedText) this.#sharedLength += items.length
  }

  finish(mayDeflate: boolean): Promise<JsonFields> | JsonFields {
    this.#flush()
    // What isn't shared is deflated for this answer alone.
    const isMostlyShared = this.#sharedLength * 2 >= this.#length
    if (mayDeflate && isMostlyShared && this.#sharedLength >= MIN_SHARED_BYTES)
      return deflateFields(this.#parts)
    const texts = this.#parts.map((part) => (part instanceof SharedText ? part.bytes : part))
    return new JsonFields(texts, this.#length)
  }

  #flush(): void {
    if (this.#text === '') return
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}

async function deflateFields(parts: readonly WrittenItems[]): Promise<JsonFields> {
  const deflated: Uint8Array[] = []
  let sum = NO_TEXT
  for (const part of parts) {
    const text = await (part instanceof SharedText ? part.deflate() : deflateText(part))
    deflated.push(text.blocks)
    sum = joinSums(sum, text.sum)
  }
  const blocks = Buffer.concat(deflated)
  return new JsonFields([blocks], blocks.length, sum)
}

/**
 * Serializes the fields of an object as `JSON.stringify` does, without the braces. A list, or a generator of list items, is serialized
 * piece by piece, so that other requests are served meanwhile; a `WrittenList` and a `WrittenJson` are taken as they are. With
 * `mayDeflate`, large texts that are mostly shared are deflated.
 */
export async function writeJsonFields(
  fields: Readonly<Record<string, unknown>>,
  { mayDeflate = false }: { readonly mayDeflate?: boolean } = {},
): Promise<JsonFields> {
  const parts = new Parts()
  let separator = ''
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    parts.addText(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (value instanceof WrittenList) takeList(value, parts)
    else if (value instanceof WrittenJson) parts.addText(value.text)
    else if (isList(value)) await writeList(value, parts)
    else parts.addText(JSON.stringify(value))
  }
  return parts.finish(mayDeflate)
}

function takeList({ texts }: WrittenList, parts: Parts): void {
  parts.addText('[')
  for (const [index, text] of texts.entries()) {
    if (index > 0) parts.addText(',')
    parts.addItems(text)
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
