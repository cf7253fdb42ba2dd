import type { Tx } from '@tms/service-kit'
import { CHANNEL_COLUMNS, type Channel } from '../kernel/channels/channel.queries.ts'
import { locks } from '../kernel/locks/locks.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import type { ChannelSettings } from './channel-settings.rules.ts'

interface NewChannel {
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
}

/**
 * Creates channels with their recipients, and reserves the ID of the first message of each: that message must
 * follow in the same transaction, and events of the channel already contain its ID. A name that another
 * transaction takes at the same time is left out, after that transaction has committed. Names are inserted in
 * order, so that two calls can't deadlock. Call it before channels are locked.
 */
export async function insertChannels(
  tx: Tx,
  channels: readonly NewChannel[],
  common: ChannelSettings & { readonly realmId: number; readonly creatorId: number },
): Promise<Channel[]> {
  const { rows } = await tx.query<Channel>(
    `with new_channels as (
       select nextval(pg_get_serial_sequence('recipients', 'id')) as recipient_id, requested.*
         from unnest($3::text[], $4::text[], $5::text[], $12::text[]) as requested (name, description, rendered_description, name_key)
     ), created as (
       insert into channels (
                realm_id, creator_id, recipient_id, name, name_key, description, rendered_description, invite_only,
                is_web_public, is_default, history_public_to_subscribers,
                message_retention_days, permissions)
       select $1, $2, recipient_id, name, name_key, description, rendered_description, $6, $7, $8, $9, $10, $11
         from new_channels
        order by name_key
           on conflict (realm_id, name_key) where not is_archived do nothing
       returning *
     ), created_recipients as (
       insert into recipients (id, realm_id, first_message_id)
       overriding system value
       select recipient_id, realm_id, nextval('message_ids') from created
     )
     select ${CHANNEL_COLUMNS}
       from created
      order by id`,
    [
      common.realmId,
      common.creatorId,
      channels.map(({ name }) => name),
      channels.map(({ description }) => description),
      channels.map(({ renderedDescription }) => renderedDescription),
      common.inviteOnly,
      common.isWebPublic,
      common.isDefault,
      common.historyPublicToSubscribers,
      common.messageRetentionDays,
      JSON.stringify(common.permissions),
      channels.map(({ name }) => caseKey(name)),
    ],
  )
  return rows
}

/**
 * Counts the channels that a user has created within a day, also those that they have archived since. The count can't change
 * until the transaction ends.
 */
export async function lockNewChannelCount(
  tx: Tx,
  { realmId, userId }: { readonly realmId: number; readonly userId: number },
): Promise<number> {
  tx.lockRecord.add(locks.newChannels, [userId])
  await tx.query({
    name: 'lock-new-channel-count',
    text: `select pg_advisory_xact_lock(hashtextextended('new channels of ' || $1::bigint, 0))`,
    values: [userId],
  })
  const { rows } = await tx.query<{ count: number }>({
    name: 'count-new-channels',
    text: `
      select count(*) as count
        from channels
       where realm_id = $1
         and creator_id = $2
         and created_at > now() - interval '1 day'`,
    values: [realmId, userId],
  })
  return rows[0]?.count ?? 0
}
