import type { Action } from './actor.ts'
import { entriesOf } from './check-actions.ts'
import type { SettingChange, SettingUse } from './check-settings.ts'
import type { LogRecord } from './log-records.ts'

/**
 * The changes of settings among actions. The log shows which unanswered ones were made. A change is complete once its entry is
 * in the log, or once it was acknowledged: a client may use it after its event.
 */
export function settingChanges(actions: readonly Action[], log: readonly LogRecord[]): SettingChange[] {
  return actions.flatMap((action): SettingChange[] => {
    const { sets, outcome, beganAt } = action
    if (sets === null) return []
    const [entry] = entriesOf(action, log)
    const publishedAt = entry?.readAt ?? Number.POSITIVE_INFINITY
    if (outcome === 'done')
      return [{ ...sets, beganAt, endedAt: Math.min(action.endedAt, publishedAt), outcome }]
    return [
      {
        ...sets,
        beganAt,
        endedAt: publishedAt,
        outcome: entry && outcome === 'unknown' ? 'done' : 'refused',
      },
    ]
  })
}

/** The settings that actions showed. */
export function settingUses(actions: readonly Action[]): SettingUse[] {
  return actions.flatMap(({ shown, beganAt, endedAt }) =>
    shown.map((setting) => ({ ...setting, beganAt, endedAt })),
  )
}
