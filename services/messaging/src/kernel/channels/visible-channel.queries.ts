import { type ChannelRecord, channelRules, type SubscriptionSettings } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { channelColumns, grantColumns } from '../access/access.queries.ts'
import { allowsSql } from '../access/access-sql.ts'
import { SETTINGS_COLUMNS } from '../subscriptions/subscription.queries.ts'
import { hideDeactivated, RECORD_COLUMNS } from './channel-record.queries.ts'

/** A channel as one user sees it; `subscription` is null for one who never subscribed. */
export interface VisibleChannel {
  readonly record: ChannelRecord
  readonly isDefault: boolean
  /** A permission lets the user read it. */
  readonly isReader: boolean
  readonly subscription: { readonly isActive: boolean; readonly settings: SubscriptionSettings } | null
}

type Row = ChannelRecord &
  SubscriptionSettings & { is_default: boolean; is_reader: boolean; is_active: boolean | null }

const IS_SUBSCRIBED = '(is_active or is_in_archive)'
const GRANTS = grantColumns('channel_records', '$2', 'channel_records.stream_id')

/** SQL: whether the user may see a row of `channel_records`. */
const canSeeBy = (rule: typeof channelRules.see): string =>
  allowsSql(rule, {
    ...channelColumns('channel_records'),
    ...GRANTS,
    isSubscribed: `coalesce(${IS_SUBSCRIBED}, false)`,
    role: '$3::integer',
  })
const CAN_SEE = canSeeBy(channelRules.see)
const CAN_SEE_ARCHIVED = canSeeBy(channelRules.seeArchived)

/** Lists every channel that a user may see, by name: subscribed, left or never joined; archived ones on request. */
export async function listVisibleChannels(
  db: Queryable,
  { realmId, userId, role }: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  { withArchived }: { readonly withArchived: boolean },
): Promise<VisibleChannel[]> {
  const { rows } = await db.query<Row>({
    name: `list-visible-channels${withArchived ? '-with-archived' : ''}`,
    text: `
      select ${RECORD_COLUMNS}, is_default, ${GRANTS.isReader} as is_reader, ${IS_SUBSCRIBED} as is_active,
             ${SETTINGS_COLUMNS}
        from channel_records
        left join subscriptions on channel_id = stream_id and user_id = $2 and was_subscribed
       where realm_id = $1
         and ${withArchived ? CAN_SEE_ARCHIVED : CAN_SEE}
       order by name collate "C"`,
    values: [realmId, userId, role],
  })
  return (await hideDeactivated(db, rows)).map(toVisibleChannel)
}

/** A channel whose visibility without a subscription depends on the role. */
export interface RoleDependentChannel {
  readonly record: ChannelRecord
  /** The weakest role that sees it by a permission; 0 for none. */
  readonly viewerRole: number
  /** The user is named by such a permission, or in a custom group that is. */
  readonly isGrantee: boolean
}

/** Lists such channels for a user by ID, archived ones included. */
export async function listRoleDependentChannels(
  db: Queryable,
  realmId: number,
  userId: number,
): Promise<RoleDependentChannel[]> {
  const { rows } = await db.query<ChannelRecord & { viewer_role: number; is_grantee: boolean }>(
    `select ${RECORD_COLUMNS}, viewer_role, user_id is not null as is_grantee
       from channel_records
       left join channel_grantees on channel_id = stream_id and user_id = $2
      where realm_id = $1
        and not is_web_public
      order by stream_id`,
    [realmId, userId],
  )
  return (await hideDeactivated(db, rows)).map(({ viewer_role, is_grantee, ...record }) => ({
    record,
    viewerRole: viewer_role,
    isGrantee: is_grantee,
  }))
}

/** Whether a permission on a private channel is given to one of two roles and not to the other. */
export async function isGrantedByRole(
  db: Queryable,
  { realmId, role, publishedRole }: { realmId: number; role: number; publishedRole: number },
): Promise<boolean> {
  const { rows } = await db.query<{ isGranted: boolean }>(
    `select exists (select
                      from channels
                     where realm_id = $1
                       and viewer_role > 0
                       and (viewer_role >= $2::integer) <> (viewer_role >= $3::integer)) as "isGranted"`,
    [realmId, role, publishedRole],
  )
  return rows[0]?.isGranted ?? false
}

/** Lists the channels that a user is subscribed to, by name; archived ones on request. */
export async function listSubscribedChannels(
  db: Queryable,
  userId: number,
  { withArchived }: { readonly withArchived: boolean },
): Promise<VisibleChannel[]> {
  const { rows } = await db.query<Row>({
    name: `list-subscribed-channels${withArchived ? '-with-archived' : ''}`,
    text: `
      select ${RECORD_COLUMNS}, is_default, false as is_reader, true as is_active, ${SETTINGS_COLUMNS}
        from subscriptions
        join channel_records on stream_id = channel_id
       where user_id = $1
         and ${withArchived ? IS_SUBSCRIBED : 'is_active and not is_archived'}
       order by name collate "C"`,
    values: [userId],
  })
  return (await hideDeactivated(db, rows)).map(toVisibleChannel)
}

function toVisibleChannel({ is_default, is_reader, is_active, ...row }: Row): VisibleChannel {
  const {
    desktop_notifications,
    email_notifications,
    wildcard_mentions_notify,
    push_notifications,
    audible_notifications,
    pin_to_top,
    is_muted,
    in_home_view,
    color,
    ...record
  } = row
  if (is_active === null) return { record, isDefault: is_default, isReader: is_reader, subscription: null }
  const settings = {
    desktop_notifications,
    email_notifications,
    wildcard_mentions_notify,
    push_notifications,
    audible_notifications,
    pin_to_top,
    is_muted,
    in_home_view,
    color,
  }
  const subscription = { isActive: is_active, settings }
  return { record, isDefault: is_default, isReader: is_reader, subscription }
}
