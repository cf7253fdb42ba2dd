/** A setting, and what it is. */
export interface Setting {
  readonly name: string
  readonly value: string
}

/** When a request began and was answered, by one clock that never goes back. */
interface Interval {
  readonly beganAt: number
  readonly endedAt: number
}

/** A request to change a setting. An `unknown` one may have been made, may be made yet, or never. */
export interface SettingChange extends Setting, Interval {
  readonly outcome: 'done' | 'refused' | 'unknown'
}

/** A request whose answer showed what a setting was. */
export interface SettingUse extends Setting, Interval {}

/**
 * Checks that a success holds everywhere, at once (docs/consistency.md): what a use shows is the last change that was over
 * when it began, or one that may be later. What is under way at the same time may come in either order.
 */
export function checkSettings(changes: readonly SettingChange[], uses: readonly SettingUse[]): string[] {
  return uses.flatMap((use) => {
    const possible = changesBehind(use, changes)
    if (possible.some(({ value }) => value === use.value)) return []
    const due = possible.map((change) => `${change.value} (${change.outcome}, ${timesOf(change)})`)
    return [`${use.name}: '${use.value}' at ${timesOf(use)}, where only this was due: ${due.join(' or ')}`]
  })
}

/** The changes that a use may show. */
function changesBehind(use: SettingUse, changes: readonly SettingChange[]): SettingChange[] {
  const made = changes.filter(({ name, outcome }) => name === use.name && outcome !== 'refused')
  const over = made.filter((change) => isOverBefore(change, use))
  const lastOfThem = { beganAt: Math.max(...over.map(({ beganAt }) => beganAt)) }
  return made.filter((change) => change.beganAt < use.endedAt && !isOverBefore(change, lastOfThem))
}

/** What wasn't answered is never certain to be over: a replica that was paused may make it later than others theirs. */
const isOverBefore = ({ outcome, endedAt }: SettingChange, { beganAt }: Pick<Interval, 'beganAt'>): boolean =>
  outcome === 'done' && endedAt < beganAt

const timesOf = ({ beganAt, endedAt }: Interval): string =>
  `${beganAt.toFixed(1)} to ${endedAt.toFixed(1)} ms`
