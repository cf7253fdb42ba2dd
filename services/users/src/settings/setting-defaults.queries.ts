import type { SettingValue } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** What settings new accounts of an organization begin with, where it differs from the server's defaults. */
export type SettingDefaults = Readonly<Record<string, SettingValue>>

export async function findSettingDefaults(db: Queryable, realmId: number): Promise<SettingDefaults> {
  const { rows } = await db.query<{ settings: SettingDefaults }>(
    'select settings from setting_defaults where realm_id = $1',
    [realmId],
  )
  return rows[0]?.settings ?? {}
}

/** The same, which nobody else changes until the transaction ends, be there a row or not. */
export async function lockSettingDefaults(tx: Queryable, realmId: number): Promise<SettingDefaults> {
  const { rows } = await tx.query<{ settings: SettingDefaults }>(
    `insert into setting_defaults as kept (realm_id)
     values ($1)
     on conflict (realm_id) do update set settings = kept.settings
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
