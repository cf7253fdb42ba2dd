import type { SettingValue } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../locks.ts'

/** Default settings of an organization's new accounts, where they differ from the server's. */
export type SettingDefaults = Readonly<Record<string, SettingValue>>

export async function findSettingDefaults(db: Queryable, realmId: number): Promise<SettingDefaults> {
  const { rows } = await db.query<{ settings: SettingDefaults }>(
    'select settings from setting_defaults where realm_id = $1',
    [realmId],
  )
  return rows[0]?.settings ?? {}
}

/** Locks them until the transaction ends, even if there is no row yet. */
export async function lockSettingDefaults(tx: Tx, realmId: number): Promise<SettingDefaults> {
  tx.lockRecord.add(locks.settingDefaults, [realmId])
  const { rows } = await tx.query<{ settings: SettingDefaults }>(
    `insert into setting_defaults as existing (realm_id)
     values ($1)
     on conflict (realm_id) do update set settings = existing.settings
     returning settings`,
    [realmId],
  )
  return rows[0]?.settings ?? {}
}

export async function saveSettingDefaults(
  tx: Queryable,
  realmId: number,
  settings: SettingDefaults,
): Promise<void> {
  await tx.query('update setting_defaults set settings = $2::jsonb where realm_id = $1', [
    realmId,
    JSON.stringify(settings),
  ])
}
