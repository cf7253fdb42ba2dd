import type { Logger } from '../telemetry/log.ts'
import { type Loop, startLoop } from './loop.ts'

/** How long something may stay unrepaired; smaller asks for nothing more often. */
const EVERY_MS = 30_000
/** After a failure, mostly because another service doesn't answer: exactly then there is something to repair. */
const RETRY_MS = 2_000
/** Between two pages, in very large installations. */
const PAGE_PAUSE_MS = 100
/** How long a starting service waits for another, which may be starting too. */
const START_MS = 2_000

/** Repairs the next page after an ID; returns the page's last ID, or null if there are no more. */
type RepairPage = (afterId: number, call: { readonly timeoutMs?: number }) => Promise<number | null>

/**
 * Repairs, page by page, what another service could not tell this one while it was unreachable: once before the service
 * serves requests, for 2 s at most, and then every 30 s on every replica.
 */
export async function startPagedRepair(name: string, log: Logger, repairPage: RepairPage): Promise<Loop> {
  const deadline = Date.now() + START_MS
  let afterId: number | null = 0
  while (afterId !== null && Date.now() < deadline) {
    afterId = await repairPage(afterId, { timeoutMs: START_MS }).catch(() => null)
  }
  let nextId = 0
  return startLoop({
    name,
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const lastId = await repairPage(nextId, {})
      nextId = lastId ?? 0
      return lastId === null ? EVERY_MS : PAGE_PAUSE_MS
    },
  })
}
