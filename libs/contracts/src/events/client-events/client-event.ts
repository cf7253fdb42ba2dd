import { z } from 'zod'

/** An event as a client receives it from `GET /events`, declared for the documents and for generated clients. */
export interface ClientEvent {
  /** Name of its schema: the type, and the `op` if events of one type differ by it. */
  readonly name: string
  readonly type: string
  readonly summary: string
  readonly schema: z.ZodObject
}

const capitalized = (words: string): string =>
  words.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Declares an event of a type: the only one, or the one with this `op`. `fields` are beside `id`, `type` and `op`. */
export function clientEvent(
  typeAndOp: string,
  summary: string,
  fields: Readonly<Record<string, z.ZodType>>,
): ClientEvent {
  const [type = '', op] = typeAndOp.split(' ')
  const name = `${capitalized(type)}${capitalized(op ?? '')}Event`
  const schema = z
    .object({
      id: z.int(),
      type: z.literal(type),
      ...(op === undefined ? {} : { op: z.literal(op) }),
      ...fields,
    })
    .describe(summary)
  return { name, type, summary, schema }
}
