import { setTimeout as sleep } from 'node:timers/promises'

/** Reading metrics costs a little; a measured time may be too long by twice this. */
const POLL_INTERVAL_MS = 50

/** Watches whether all partitions have an owner. */
export interface Ownership {
  /** Resets the observations. */
  begin(): void
  /** The longest time in milliseconds since `begin` that a partition had no owner. */
  longestMove(): number
  stop(): Promise<void>
}

/** `urls` are those of all replicas of events, including stopped ones; `partitions` is the total. */
export function watchOwnership(urls: readonly string[], partitions: number): Ownership {
  let isStopped = false
  let wholeAt = performance.now()
  let longest = 0

  const watch = async () => {
    while (!isStopped) {
      const owned = await countOwned(urls)
      const now = performance.now()
      longest = Math.max(longest, now - wholeAt)
      if (owned >= partitions) wholeAt = now
      await sleep(POLL_INTERVAL_MS)
    }
  }
  const watching = watch()

  return {
    begin: () => {
      wholeAt = performance.now()
      longest = 0
    },
    longestMove: () => longest,
    stop: async () => {
      isStopped = true
      await watching
    },
  }
}

/** Partitions that replicas own. */
export async function countOwned(urls: readonly string[]): Promise<number> {
  const owned = await Promise.all(urls.map(ownedAt))
  return owned.reduce((sum, one) => sum + one, 0)
}

/** None if it does not run. */
async function ownedAt(url: string): Promise<number> {
  try {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^event_partitions_owned\S* (\d+)/m.exec(text)?.[1] ?? 0)
  } catch {
    return 0
  }
}
