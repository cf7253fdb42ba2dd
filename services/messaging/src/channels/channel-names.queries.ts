import type { Queryable } from '@tms/service-kit'

/** A channel whose name is requested for a user. */
interface ChannelNameRequest {
  readonly realmId: number
  readonly userId: number
  readonly channelId: number
  /** Whether the user sees public and private channels without being subscribed. */
  readonly canSeePublic: boolean
  readonly canSeePrivate: boolean
}

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
        from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::boolean[]) with ordinality
             as request (realm_id, user_id, channel_id, can_see_public, can_see_private, position)
        left join channels
          on channels.id = request.channel_id
         and channels.realm_id = request.realm_id
         and not is_archived
         and (is_web_public
              or case when invite_only then can_see_private else can_see_public end
              or exists (
                   select
                     from subscriptions
                    where subscriptions.channel_id = request.channel_id
                      and subscriptions.user_id = request.user_id
                      and is_active))
       order by position`,
    values: [
      requests.map(({ realmId }) => realmId),
      requests.map(({ userId }) => userId),
      requests.map(({ channelId }) => channelId),
      requests.map(({ canSeePublic }) => canSeePublic),
      requests.map(({ canSeePrivate }) => canSeePrivate),
    ],
  })
  return rows.map(({ name }) => name)
}
