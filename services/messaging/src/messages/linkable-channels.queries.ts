import { Role } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import type { LinkableChannel } from '../kernel/rendering/mention-lookup.ts'
import { caseKey } from '../kernel/text/case-key.ts'

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
         and not c.is_archived
         and (s.user_id is not null
              or c.is_web_public
              or $4 <= case when c.invite_only then ${Role.administrator} else ${Role.member} end)`,
    values: [author.realmId, names, author.userId, author.role, names.map(caseKey)],
  })
  return rows
}
