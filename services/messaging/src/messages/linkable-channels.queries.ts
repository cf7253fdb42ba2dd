import { channelRules } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { channelColumns } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'
import type { LinkableChannel } from '../kernel/rendering/mention-lookup.ts'
import { caseKey } from '../kernel/text/case-key.ts'

/** SQL: whether the author may see the channel `c`; `s` is the author's subscription. */
const CAN_SEE = allowsSql(channelRules.see, {
  ...channelColumns('c'),
  isSubscribed: 's.user_id is not null',
  role: '$4::integer',
})

/**
 * Lists the channels with these exact names that the author may know of. A link to any other channel would reveal
 * its existence to the author.
 */
export async function listLinkableChannels(
  db: Queryable,
  author: Pick<Caller, 'realmId' | 'userId' | 'role'>,
  names: readonly string[],
): Promise<LinkableChannel[]> {
  const { rows } = await db.query<LinkableChannel>({
    name: 'list-linkable-channels',
    text: `
      select c.id as "channelId", c.name
        from channels c
        left join subscriptions s
          on s.channel_id = c.id
         and s.user_id = $3
         and s.is_active
       where c.realm_id = $1
         -- The index is on the folded name; the exact name then decides.
         and c.name_key = any($5)
         and c.name = any($2)
         and ${CAN_SEE}`,
    values: [author.realmId, names, author.userId, author.role, names.map(caseKey)],
  })
  return rows
}
