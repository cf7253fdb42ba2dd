import type { Queryable } from '@tms/service-kit'

/** A channel, and who wants to know what it is called. */
interface Asked {
  readonly realmId: number
  readonly userId: number
  readonly channelId: number
  /** Whether they see channels without being in them: those that are open to members, and private ones. */
  readonly seesOpen: boolean
  readonly seesPrivate: boolean
}

/** The name of each channel, in the order in which they are asked for; null for one that is archived or not seen. */
export async function listNames(db: Queryable, asked: readonly Asked[]): Promise<(string | null)[]> {
  const { rows } = await db.query<{ name: string | null }>({
    name: 'list-names-of-channels',
    text: `
      select channels.name
        from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::boolean[]) with ordinality
             as asked (realm_id, user_id, channel_id, sees_open, sees_private, place)
        left join channels
          on channels.id = asked.channel_id
         and channels.realm_id = asked.realm_id
         and not is_archived
         and (is_web_public
              or case when invite_only then sees_private else sees_open end
              or exists (
                   select
                     from subscriptions
                    where subscriptions.channel_id = asked.channel_id
                      and subscriptions.user_id = asked.user_id
                      and is_active))
       order by place`,
    values: [
      asked.map(({ realmId }) => realmId),
      asked.map(({ userId }) => userId),
      asked.map(({ channelId }) => channelId),
      asked.map(({ seesOpen }) => seesOpen),
      asked.map(({ seesPrivate }) => seesPrivate),
    ],
  })
  return rows.map(({ name }) => name)
}
