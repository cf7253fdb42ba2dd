import { setImmediate as nextTurn } from 'node:timers/promises'
import { JsonText } from '@tms/contracts'

/** Of a list, written at a time: a millisecond or two of work. */
const PIECE = 500

/**
 * Writes an object as JSON, as `JSON.stringify` does. A list, or a generator of what is to be one, is written piece by
 * piece: of 50,000 people it takes half a second, during which others' requests go on being served.
 */
export async function writeJsonText(fields: Readonly<Record<string, unknown>>): Promise<JsonText> {
  const parts: Buffer[] = []
  let separator = '{'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    parts.push(Buffer.from(`${separator}${JSON.stringify(name)}:`))
    separator = ','
    if (isList(value)) await writeList(value, parts)
    else parts.push(Buffer.from(JSON.stringify(value)))
  }
  parts.push(Buffer.from(separator === '{' ? '{}' : '}'))
  return new JsonText(Buffer.concat(parts))
}

async function writeList(list: Iterable<unknown>, parts: Buffer[]): Promise<void> {
  let separator = '['
  let piece: unknown[] = []
  const write = () => {
    parts.push(Buffer.from(separator + JSON.stringify(piece).slice(1, -1)))
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
  parts.push(Buffer.from(']'))
}

const isList = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
