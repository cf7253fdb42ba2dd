import { channelRules } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { channelColumns, grantColumns } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'

/** A channel whose name is requested for a user. */
interface ChannelNameRequest {
  readonly realmId: number
  readonly userId: number
  readonly channelId: number
  readonly role: number
}

/** SQL: whether the user of a request may see its channel. */
const CAN_SEE = allowsSql(channelRules.see, {
  ...channelColumns('channels'),
  ...grantColumns('channels', 'request.user_id'),
  isSubscribed: `exists (
                   select
                     from subscriptions
                    where subscriptions.channel_id = request.channel_id
                      and subscriptions.user_id = request.user_id
                      and is_active)`,
  role: 'request.role',
})

/**
 * Lists the name of each requested channel, in the order of the requests; null if it is archived or not visible to
 * the user.
 */
export async function listNames(
  db: Queryable,
  requests: readonly ChannelNameRequest[],
): Promise<(string | null)[]> {
  const { rows } = await db.query<{ name: string | null }>({
    name: 'list-names-of-channels',
    text: `
      select channels.name
        from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[]) with ordinality
             as request (realm_id, user_id, channel_id, role, position)
        left join channels
          on channels.id = request.channel_id
         and channels.realm_id = request.realm_id
         and ${CAN_SEE}
       order by position`,
    values: [
      requests.map(({ realmId }) => realmId),
      requests.map(({ userId }) => userId),
      requests.map(({ channelId }) => channelId),
      requests.map(({ role }) => role),
    ],
  })
  return rows.map(({ name }) => name)
}
