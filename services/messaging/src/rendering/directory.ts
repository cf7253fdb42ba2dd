/** A user as a mention needs to know them. */
export interface MentionableUser {
  userId: number
  fullName: string
  isActive: boolean
}

/** A channel that the author's text may link to. Leave out what is archived or must stay unknown. */
export interface LinkableChannel {
  channelId: number
  name: string
}

/** What a text refers to, looked up before rendering from what `findReferences` returned. */
export interface RenderingDirectory {
  /** Keys are `fullName.toLowerCase()`; names are not unique. */
  usersByName: ReadonlyMap<string, readonly MentionableUser[]>
  usersById: ReadonlyMap<number, MentionableUser>
  /** Keys are the exact name: channel links are case-sensitive. */
  channelsByName: ReadonlyMap<string, LinkableChannel>
}

/** Builds the directory from what the lookups found, so that keys are made in one place. */
export function createDirectory(
  users: readonly MentionableUser[],
  channels: readonly LinkableChannel[],
): RenderingDirectory {
  const usersByName = new Map<string, MentionableUser[]>()
  for (const user of users) {
    const key = user.fullName.toLowerCase()
    usersByName.set(key, [...(usersByName.get(key) ?? []), user])
  }
  return {
    usersByName,
    usersById: new Map(users.map((user) => [user.userId, user])),
    channelsByName: new Map(channels.map((channel) => [channel.name, channel])),
  }
}
