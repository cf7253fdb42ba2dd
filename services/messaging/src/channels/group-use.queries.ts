import { channelRules } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { channelColumns, grantColumns } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'

/** SQL: whether the user may see the channel `c`; `s` is the user's subscription. */
const CAN_SEE = allowsSql(channelRules.see, {
  ...channelColumns('c'),
  ...grantColumns('c', '$2'),
  isSubscribed: 's.user_id is not null',
  role: '$3::integer',
})

/** A channel with permissions that name a group. */
interface GroupUse {
  readonly channelId: number
  readonly settings: string[]
  /** Whether the user may see the channel. */
  readonly isVisible: boolean
}

/** Channels of the organization whose permissions name a custom group, by ID; archived ones can't be used again. */
export async function listChannelsNaming(
  db: Queryable,
  { realmId, userId, role }: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  groupId: number,
): Promise<GroupUse[]> {
  const { rows } = await db.query<GroupUse>({
    name: 'list-channels-naming-group',
    text: `
      select c.id as "channelId", json_agg(permission.name order by permission.name) as settings,
             ${CAN_SEE} as "isVisible"
        from channels c
        left join subscriptions s
          on s.channel_id = c.id
         and s.user_id = $2
         and s.is_active
       cross join lateral jsonb_each(c.permissions) as permission (name, value)
       where c.realm_id = $1
         and not c.is_archived
         and (value = to_jsonb($4::bigint) or value -> 'direct_subgroups' @> to_jsonb($4::bigint))
       group by c.id, s.user_id
       order by c.id`,
    values: [realmId, userId, role, groupId],
  })
  return rows
}
