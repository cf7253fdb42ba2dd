import { badRequest, limits } from '@tms/contracts'

/** Number and size of a user's drafts or scheduled messages. */
export interface UnsentUsage {
  readonly count: number
  /** Size of the texts and their HTML. */
  readonly bytes: number
}

const MAX_BYTES = limits.maxUnsentMib * 1024 * 1024

/** Throws BAD_REQUEST if a user has more than `maxCount`, or if their total size exceeds the limit. */
export function checkQuota(kind: string, usage: UnsentUsage, maxCount: number): void {
  if (usage.count > maxCount) throw badRequest(`You can have at most ${maxCount} ${kind}`)
  checkTotalSize(kind, usage)
}

/** Throws BAD_REQUEST if the total size exceeds the limit. */
export function checkTotalSize(kind: string, { bytes }: Pick<UnsentUsage, 'bytes'>): void {
  if (bytes > MAX_BYTES) {
    throw badRequest(`Your ${kind} may have at most ${limits.maxUnsentMib} MiB in all, formatting included`)
  }
}
