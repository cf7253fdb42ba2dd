import type { Deed } from './actor.ts'
import { entriesOf } from './check-deeds.ts'
import type { SettingChange, SettingUse } from './check-settings.ts'
import type { Known } from './known-log.ts'

/**
 * The changes of settings among deeds. Of those that weren't answered the log tells which were made. A change holds once its
 * entry is in the log, as once it was answered: whoever learns of it by its event may use it.
 */
export function settingChanges(deeds: readonly Deed[], log: readonly Known[]): SettingChange[] {
  return deeds.flatMap((deed): SettingChange[] => {
    const { sets, outcome, beganAt } = deed
    if (sets === null) return []
    const [entry] = entriesOf(deed, log)
    const toldAt = entry?.readAt ?? Number.POSITIVE_INFINITY
    if (outcome === 'done') return [{ ...sets, beganAt, endedAt: Math.min(deed.endedAt, toldAt), outcome }]
    return [
      { ...sets, beganAt, endedAt: toldAt, outcome: entry && outcome === 'unknown' ? 'done' : 'refused' },
    ]
  })
}

/** What deeds showed of settings. */
export function settingUses(deeds: readonly Deed[]): SettingUse[] {
  return deeds.flatMap(({ shown, beganAt, endedAt }) =>
    shown.map((setting) => ({ ...setting, beganAt, endedAt })),
  )
}
