import { AppError, badRequest, type endpoints, limits } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { type Anchor, checkPageSize, type PageSize, parseAnchor } from '../narrow/anchor.rules.ts'

type Input = Parameters<Handler<typeof endpoints.messaging.getMessages, unknown>>[0]['input']

/** Which messages a fetch asks for: those around an anchor, or single ones, whose IDs are unique and ascending. */
export type PageRequest =
  | { readonly messageIds: readonly number[] }
  | { readonly anchor: Anchor; readonly size: PageSize; readonly messageIds?: undefined }

/** Names of parameters that say which messages to fetch around an anchor. */
const AROUND = ['anchor', 'include_anchor', 'use_first_unread_anchor', 'num_before', 'num_after'] as const

/** Throws BAD_REQUEST, also for IDs beside an anchor, and REQUEST_VARIABLE_MISSING. */
export function parsePageRequest(input: Input): PageRequest {
  if (input.message_ids) return { messageIds: parseIds(input, input.message_ids) }
  const anchor = parseAnchor(input.anchor, input.use_first_unread_anchor)
  const size: PageSize = {
    numBefore: input.num_before ?? missing('num_before'),
    numAfter: input.num_after ?? missing('num_after'),
    includeAnchor: input.include_anchor ?? true,
  }
  checkPageSize(size)
  return { anchor, size }
}

function parseIds(input: Input, messageIds: readonly number[]): number[] {
  const beside = AROUND.filter((name) => input[name] !== undefined)
  if (beside.length > 0) {
    const parameters = beside.join(', ')
    throw new AppError('BAD_REQUEST', {
      message: `Unsupported parameter combination: message_ids with ${parameters}`,
      details: { parameters },
    })
  }
  if (messageIds.length > limits.maxMessagesPerFetch)
    throw badRequest(`Too many messages requested (maximum ${limits.maxMessagesPerFetch}).`)
  return [...new Set(messageIds)].sort((one, other) => one - other)
}

function missing(name: string): never {
  throw new AppError('REQUEST_VARIABLE_MISSING', {
    message: `Missing '${name}' argument`,
    details: { var_name: name },
  })
}
