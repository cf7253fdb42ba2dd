/** PostgreSQL's `pg_current_snapshot()`: the transactions that it contains. */
export interface Snapshot {
  /** All transactions below are visible. */
  readonly xmin: number
  /** None from here on is visible. */
  readonly xmax: number
  /** In between, those still running then are not visible. */
  readonly inProgress: ReadonlySet<number>
}

/** Shared by most snapshots; a live queue keeps several. */
const NONE: ReadonlySet<number> = new Set()

/** Parses `xmin:xmax:xip,xip…`. Throws on anything else. */
export function parseSnapshot(text: string): Snapshot {
  const match = /^(\d+):(\d+):([\d,]*)$/.exec(text)
  if (!match) throw new Error(`not a snapshot: ${text}`)
  const inProgress = match[3] ? new Set(match[3].split(',').map(Number)) : NONE
  return { xmin: Number(match[1]), xmax: Number(match[2]), inProgress }
}

/** Whether a state that was read under the snapshot contains the changes of transaction `xid`. */
export function isVisible(snapshot: Snapshot, xid: number): boolean {
  if (xid < snapshot.xmin) return true
  return xid < snapshot.xmax && !snapshot.inProgress.has(xid)
}
