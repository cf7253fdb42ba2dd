import { z } from 'zod'

/**
 * Scope of an export: `public` contains nothing that only some users may see, `consent` also what users may see who let
 * their private data be exported, `full` contains everything.
 */
export const exportScope = z.enum(['public', 'consent', 'full'])
export type ExportScope = z.output<typeof exportScope>

/** The services that have a part in an export, in the order of an import. */
export const exportParts = ['realm', 'users', 'messaging'] as const
export type ExportPart = (typeof exportParts)[number]

/**
 * The records in a service's part of an export: a union of objects by their `kind`, in the order in which they come.
 * A record comes after those that it refers to.
 */
export type RecordSchema<R extends { readonly kind: string }> = z.ZodType<R> & {
  readonly options: readonly z.ZodObject<{ kind: z.ZodLiteral<string> }>[]
}

/** The kinds of a part's records, in their order; files come last in every part. */
export function kindsOf(schema: RecordSchema<{ readonly kind: string }>): string[] {
  return [...schema.options.map(({ shape }) => shape.kind.value), exportedFile.shape.kind.value]
}

/** Number of records of each kind. */
export const recordCounts = z.record(z.string(), z.int().nonnegative())
export type RecordCounts = z.output<typeof recordCounts>

/** Every part has this kind, after all others. */
export const exportedFile = z
  .strictObject({
    kind: z.literal('file'),
    key: z.string().describe("The file's name in the archive, below `files/` and the name of the service."),
  })
  .describe(
    'A file that belongs to the records. One that was deleted during the export is not in the archive.',
  )

/**
 * The first line of a stream of records between services, with the approximate number of records. Archives don't have
 * it.
 */
export const recordsBegin = z.strictObject({ kind: z.literal('begin'), records: z.int().nonnegative() })

/** The last line: a stream without it is incomplete. */
export const recordsEnd = z.strictObject({ kind: z.literal('end'), counts: recordCounts })
