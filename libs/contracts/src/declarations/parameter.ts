import { z } from 'zod'

/**
 * Encoding of a parameter. Strings are raw text and everything else is JSON text inside a field (API document,
 * introduction); `text-or-json` is for the few that accept both, such as `to` of a message.
 */
export type Encoding = 'text' | 'json' | 'text-or-json'

/** One declared request parameter. `aliases` are other names for it; sending two of them is refused. */
export interface Parameter<T = unknown, Required extends boolean = boolean> {
  readonly schema: z.ZodType<T>
  readonly encoding: Encoding
  readonly required: Required
  readonly aliases: readonly string[]
  readonly description: string
  /** A path parameter that takes the rest of the path, slashes included. */
  readonly isRest: boolean
}

export type Parameters = Readonly<Record<string, Parameter>>

type ValueOf<P> = P extends Parameter<infer T> ? T : never
type RequiredKeys<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<unknown, true> ? K : never
}[keyof P]

/** The decoded input of an endpoint: required parameters are present, others may be absent. */
export type InputOf<P extends Parameters> = { [K in RequiredKeys<P>]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, RequiredKeys<P>>]?: ValueOf<P[K]> | undefined
}

interface ParameterOptions {
  readonly aliases?: readonly string[]
  readonly description?: string
  readonly isRest?: boolean
}

/**
 * Limit of a text whose schema has none of its own, in UTF-16 units: more than any name, address or code needs. Rules
 * with tighter limits have their own messages.
 */
const MAX_TEXT_LENGTH = 20_000

const bounded = <T>(schema: z.ZodType<T>): z.ZodType<T> =>
  schema instanceof z.ZodString && schema.maxLength === null
    ? (schema.max(MAX_TEXT_LENGTH) as unknown as z.ZodType<T>)
    : schema

const make =
  <Required extends boolean>(encoding: Encoding, required: Required) =>
  <T>(schema: z.ZodType<T>, options: ParameterOptions = {}): Parameter<T, Required> => ({
    schema: bounded(schema),
    encoding,
    required,
    aliases: options.aliases ?? [],
    description: options.description ?? schema.description ?? '',
    isRest: options.isRest ?? false,
  })

/** A required parameter that is raw text. */
export const text = make('text', true)
/** An optional parameter that is raw text. */
export const optionalText = make('text', false)
/** A required parameter that is JSON text: numbers bare, booleans `true`/`false`, lists and objects. */
export const json = make('json', true)
/** An optional parameter that is JSON text. */
export const optionalJson = make('json', false)
/** A required parameter that is JSON text if it parses, otherwise raw text. */
export const textOrJson = make('text-or-json', true)
/** An optional parameter that is JSON text if it parses, otherwise raw text. */
export const optionalTextOrJson = make('text-or-json', false)

/** A path segment of decimal digits; a segment that isn't one doesn't match the route. */
export const pathId = make('json', true)(z.int().nonnegative())
/** A path segment of any text. */
export const pathText = make('text', true)(z.string())
/** The rest of a path, slashes included. */
export const pathRest = make('text', true)(z.string(), {
  isRest: true,
  description: 'The rest of the path; it may contain slashes.',
})
