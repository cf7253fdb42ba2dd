import type { GroupSettingValue } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

/** Changes who administers a channel as replicas of the release before do, which store nothing else about it. */
export function administer(system: TestSystem, channelId: number, value: GroupSettingValue): Promise<void> {
  return inMessagingDatabase(system, (db) =>
    db.query(
      `update channels
          set permissions = permissions || jsonb_build_object('can_administer_channel_group', $2::jsonb)
        where id = $1`,
      [channelId, JSON.stringify(value)],
    ),
  )
}

/** Creates a private channel without subscribers as they do. */
export function createPrivate(system: TestSystem, name: string, value: GroupSettingValue): Promise<void> {
  return inMessagingDatabase(system, (db) =>
    db.query(
      `with created as (
         insert into channels (realm_id, recipient_id, name, name_key, description, rendered_description, invite_only,
                               is_web_public, is_default, history_public_to_subscribers, permissions)
         select $1, nextval(pg_get_serial_sequence('recipients', 'id')), $2, lower($2), '', '', true, false, false, true,
                '{"can_send_message_group": 6, "can_remove_subscribers_group": 2}'
                || jsonb_build_object('can_administer_channel_group', $3::jsonb)
         returning *
       )
       insert into recipients (id, realm_id)
       overriding system value
       select recipient_id, realm_id from created`,
      [system.realmId, name, JSON.stringify(value)],
    ),
  )
}

async function inMessagingDatabase(
  { system }: TestSystem,
  work: (db: Pool) => Promise<unknown>,
): Promise<void> {
  const db = createPool(system.databaseUrls.messaging, 1, createLog('test', 'silent'))
  try {
    await work(db)
  } finally {
    await db.end()
  }
}
