import {
  badRequest,
  exportedFile,
  kindsOf,
  type RecordCounts,
  type RecordSchema,
  recordsBegin,
  recordsEnd,
} from '@tms/contracts'
import type { z } from 'zod'
import { describeIssue, wordIssue } from '../validation/describe-issue.ts'
import { readLines, writeLines } from './lines.ts'

/** A stream of records between services: `begin`, with the approximate number of records, the records, and `end`. */
export function writeRecords(
  about: number,
  records: AsyncIterable<{ readonly kind: string }>,
): AsyncGenerator<Buffer> {
  return writeLines(framed(about, records))
}

async function* framed(
  about: number,
  records: AsyncIterable<{ readonly kind: string }>,
): AsyncGenerator<object> {
  yield { kind: 'begin', records: about } satisfies z.output<typeof recordsBegin>
  const counts: Record<string, number> = {}
  for await (const record of records) {
    counts[record.kind] = (counts[record.kind] ?? 0) + 1
    yield record
  }
  yield { kind: 'end', counts } satisfies z.output<typeof recordsEnd>
}

/**
 * Reads a part of an export, except its files, up to `end`: each record as its kind declares it, in the order of the
 * kinds. Adds them to `counts`, which must match the declared ones at the end. Throws BAD_REQUEST with the line
 * number.
 */
export async function* readRecords<R extends { readonly kind: string }>(
  content: AsyncIterable<Uint8Array>,
  schema: RecordSchema<R>,
  counts: Record<string, number> = {},
): AsyncGenerator<R> {
  const order = new Map(kindsOf(schema).map((kind, rank) => [kind, rank]))
  let number = 0
  let currentRank = 0
  let hasEnded = false
  for await (const line of readLines(content)) {
    number++
    const refuse = (fault: string) => badRequest(`Line ${number} ${fault}`)
    if (hasEnded) throw refuse('stands after the end')
    const value = parseObject(line, refuse)
    const kind = String(value['kind'])
    if (kind === 'end') {
      checkCounts(counts, value, refuse)
      hasEnded = true
      continue
    }
    const rank = order.get(kind)
    if (rank === undefined) throw refuse(`is of an unknown kind: ${JSON.stringify(kind)}`)
    if (rank < currentRank)
      throw refuse(`is of the kind ${kind}, which must stand before others that it comes after`)
    currentRank = rank
    const isFile = kind === exportedFile.shape.kind.value
    const parsed = (isFile ? exportedFile : schema).safeParse(value, { error: wordIssue })
    if (!parsed.success) throw refuse(`(${kind}): ${describeIssue('it', parsed.error)}`)
    counts[kind] = (counts[kind] ?? 0) + 1
    if (!isFile) yield parsed.data as R
  }
  if (!hasEnded) throw badRequest(`The records break off after line ${number}`)
}

type Refuse = (fault: string) => Error

function parseObject(line: string, refuse: Refuse): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw refuse('is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('is no object')
  return value as Record<string, unknown>
}

function checkCounts(counts: RecordCounts, end: unknown, refuse: Refuse): void {
  const parsed = recordsEnd.safeParse(end, { error: wordIssue })
  if (!parsed.success) throw refuse(`is no end: ${describeIssue('it', parsed.error)}`)
  const declaredCounts = parsed.data.counts
  for (const kind of new Set([...Object.keys(declaredCounts), ...Object.keys(counts)])) {
    const [read, declared] = [counts[kind] ?? 0, declaredCounts[kind] ?? 0]
    if (read !== declared)
      throw refuse(`says that there are ${declared} of the kind ${kind}, but there are ${read}`)
  }
}
