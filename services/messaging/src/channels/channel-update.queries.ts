import type { Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks/locks.ts'
import { incrementVersions } from '../kernel/locks/version.queries.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import type { EditableChannel } from './channel-update.rules.ts'

/**
 * Reserves a name for a channel, which `updateChannelSettings` then sets. Needs the lock of the channel. Fails
 * with `unique_violation` if another channel has the name, after waiting for a transaction that is just taking it.
 */
export async function reserveName(tx: Tx, channelId: number, name: string): Promise<void> {
  await tx.query('update channels set name_key = $2 where id = $1', [channelId, caseKey(name)])
}

/** Updates a channel. Needs its lock, and its name to be reserved (`reserveName`). */
export async function updateChannelSettings(
  tx: Tx,
  channelId: number,
  channel: EditableChannel & { readonly renderedDescription: string },
): Promise<void> {
  await tx.query(
    `with changed as (
       update channels
          set name = $2, name_key = $3, description = $4, rendered_description = $5, invite_only = $6,
              is_web_public = $7, is_default = $8, history_public_to_subscribers = $9, message_retention_days = $10,
              permissions = $11
        where id = $1
       returning recipient_id
     )
     ${incrementVersions('changed')}`,
    [
      channelId,
      channel.name,
      caseKey(channel.name),
      channel.description,
      channel.renderedDescription,
      channel.inviteOnly,
      channel.isWebPublic,
      channel.isDefault,
      channel.historyPublicToSubscribers,
      channel.messageRetentionDays,
      JSON.stringify(channel.permissions),
    ],
  )
}

/** Sets whether new users join a channel. Needs its lock. */
export async function setDefault(tx: Tx, channelId: number, isDefault: boolean): Promise<void> {
  await tx.query('update channels set is_default = $2 where id = $1', [channelId, isDefault])
}

/**
 * Makes one transaction at a time change and publish the default channels of an organization, so that the last
 * published list is the current one.
 */
export async function lockDefaultChannels(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.defaultChannels, [realmId])
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('default channels of ' || $1::bigint, 0))`, [
    realmId,
  ])
}
