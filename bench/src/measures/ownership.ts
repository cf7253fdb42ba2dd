import { setTimeout as sleep } from 'node:timers/promises'

/** Reading metrics costs a little; this is what a measured time may be too long by, twice. */
const LOOK_MS = 50

/** Watches whether all partitions have an owner. */
export interface Ownership {
  /** Forgets what was seen so far. */
  begin(): void
  /** How long it took, at the longest since `begin`, until each of them had one again, in milliseconds. */
  longestMove(): number
  stop(): Promise<void>
}

/** `urls` of all replicas of events, of which some may not run; there are `partitions` in all. */
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
      await sleep(LOOK_MS)
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

/** None where it doesn't run. */
async function ownedAt(url: string): Promise<number> {
  try {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^event_partitions_owned\S* (\d+)/m.exec(text)?.[1] ?? 0)
  } catch {
    return 0
  }
}
