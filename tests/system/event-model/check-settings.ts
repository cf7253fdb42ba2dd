/** The name and value of a setting. */
export interface Setting {
  readonly name: string
  readonly value: string
}

/** When a request started and was answered, by a monotonic clock. */
interface Interval {
  readonly beganAt: number
  readonly endedAt: number
}

/** A request to change a setting. An `unknown` one may have been applied, may be applied later, or never. */
export interface SettingChange extends Setting, Interval {
  readonly outcome: 'done' | 'refused' | 'unknown'
}

/** A request whose response showed a setting. */
export interface SettingUse extends Setting, Interval {}

/**
 * Checks that an acknowledged change holds everywhere, at once (docs/consistency.md): a use observes the last change that was
 * complete when it started, or a possibly later one. Concurrent requests may take effect in either order.
 */
export function checkSettings(changes: readonly SettingChange[], uses: readonly SettingUse[]): string[] {
  return uses.flatMap((use) => {
    const possible = changesBehind(use, changes)
    if (possible.some(({ value }) => value === use.value)) return []
    const due = possible.map((change) => `${change.value} (${change.outcome}, ${timesOf(change)})`)
    return [`${use.name}: '${use.value}' at ${timesOf(use)}, where only this was due: ${due.join(' or ')}`]
  })
}

/** The changes that a use may observe. */
function changesBehind(use: SettingUse, changes: readonly SettingChange[]): SettingChange[] {
  const made = changes.filter(({ name, outcome }) => name === use.name && outcome !== 'refused')
  const over = made.filter((change) => isOverBefore(change, use))
  const lastOfThem = { beganAt: Math.max(...over.map(({ beganAt }) => beganAt)) }
  return made.filter((change) => change.beganAt < use.endedAt && !isOverBefore(change, lastOfThem))
}

/** An unanswered change never counts as complete: a paused replica may apply it after later ones. */
const isOverBefore = ({ outcome, endedAt }: SettingChange, { beganAt }: Pick<Interval, 'beganAt'>): boolean =>
  outcome === 'done' && endedAt < beganAt

const timesOf = ({ beganAt, endedAt }: Interval): string =>
  `${beganAt.toFixed(1)} to ${endedAt.toFixed(1)} ms`
