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

/** An uploaded picture that the author may see, and whose dimensions are known. */
export interface MeasuredPicture {
  /** What follows `/user_uploads/`. */
  pathId: string
  /** Pixels, as it is shown. */
  width: number
  height: number
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
  picturesByPathId: ReadonlyMap<string, MeasuredPicture>
}

/** What lookups found; leave out what there is none of. */
export interface Known {
  users?: readonly MentionableUser[]
  channels?: readonly LinkableChannel[]
  groups?: readonly MentionableGroup[]
  customEmoji?: readonly CustomEmoji[]
  pictures?: readonly MeasuredPicture[]
}

/** Builds the directory from what the lookups found, so that keys are made in one place. */
export function createDirectory({
  users = [],
  channels = [],
  groups = [],
  customEmoji = [],
  pictures = [],
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
    picturesByPathId: new Map(pictures.map((picture) => [picture.pathId, picture])),
  }
}
