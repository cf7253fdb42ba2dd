import { caseKey } from '../case-key.ts'

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

/** A group that a text may mention. Leave out what nobody may mention. */
export interface MentionableGroup {
  groupId: number
  name: string
}

/** An active custom emoji of the organization. */
export interface CustomEmoji {
  name: string
  /** Where its picture is. */
  url: string
}

/** What a text refers to, looked up before rendering from what `findReferences` returned. */
export interface RenderingDirectory {
  /** Keys are `caseKey(fullName)`; names are not unique. */
  usersByName: ReadonlyMap<string, readonly MentionableUser[]>
  usersById: ReadonlyMap<number, MentionableUser>
  /** Keys are the exact name: channel links are case-sensitive. */
  channelsByName: ReadonlyMap<string, LinkableChannel>
  /** Keys are `caseKey(name)`. */
  groupsByName: ReadonlyMap<string, MentionableGroup>
  customEmojiByName: ReadonlyMap<string, CustomEmoji>
}

/** What lookups found; leave out what there is none of. */
export interface Known {
  users?: readonly MentionableUser[]
  channels?: readonly LinkableChannel[]
  groups?: readonly MentionableGroup[]
  customEmoji?: readonly CustomEmoji[]
}

/** Builds the directory from what the lookups found, so that keys are made in one place. */
export function createDirectory({
  users = [],
  channels = [],
  groups = [],
  customEmoji = [],
}: Known): RenderingDirectory {
  const usersByName = new Map<string, MentionableUser[]>()
  for (const user of users) {
    const key = caseKey(user.fullName)
    usersByName.set(key, [...(usersByName.get(key) ?? []), user])
  }
  return {
    usersByName,
    usersById: new Map(users.map((user) => [user.userId, user])),
    channelsByName: new Map(channels.map((channel) => [channel.name, channel])),
    groupsByName: new Map(groups.map((group) => [caseKey(group.name), group])),
    customEmojiByName: new Map(customEmoji.map((emoji) => [emoji.name, emoji])),
  }
}
