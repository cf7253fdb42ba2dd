import { randomUUID } from 'node:crypto'
import type { Caller } from '@tms/service-kit'
import { badQueue } from './bad-queue.ts'

type Credentials = Pick<Caller, 'tokenId'>

/** The ID of a queue of an API token ends with the token's, so that no other token polls it. */
export function newQueueId({ tokenId }: Credentials): string {
  return tokenId === undefined ? randomUUID() : `${randomUUID()}-t${tokenId}`
}

/**
 * Throws BAD_EVENT_QUEUE_ID if a caller with an API token names a queue of other credentials, whose events may contain
 * more. The API key opens all queues of its user.
 */
export function checkOwnQueue({ tokenId }: Credentials, queueId: string): void {
  if (tokenId !== undefined && !queueId.endsWith(`-t${tokenId}`)) throw badQueue(queueId)
}
