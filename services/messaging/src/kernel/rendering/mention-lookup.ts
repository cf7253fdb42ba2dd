import { caseKey } from '../text/case-key.ts'

/** What mentions need to know of a user. */
export interface MentionableUser {
  userId: number
  fullName: string
  isActive: boolean
}

/** A channel that the author's text may link to. Leave out archived channels and those that the author can't see. */
export interface LinkableChannel {
  channelId: number
  name: string
}

/** A topic that a text links to, and its oldest message that the author sees. */
export interface StartedTopic {
  channelId: number
  topic: string
  firstMessageId: number
}

/** A group that a text may mention. Leave out groups that nobody may mention. */
export interface MentionableGroup {
  groupId: number
  name: string
}

/** An active custom emoji of the organization. */
export interface CustomEmoji {
  name: string
  /** URL of its picture. */
  url: string
}

/** An uploaded picture that the author may see, with known dimensions. */
export interface MeasuredPicture {
  /** The part after `/user_uploads/`. */
  pathId: string
  contentType: string
  /** Pixels, as it is displayed. */
  width: number
  height: number
}

/** What a text refers to, looked up before rendering by the names that `findReferences` returned. */
export interface MentionLookup {
  /** Keys are `caseKey(fullName)`; names are not unique. */
  usersByName: ReadonlyMap<string, readonly MentionableUser[]>
  usersById: ReadonlyMap<number, MentionableUser>
  /** Keys are exact names: channel links are case-sensitive. */
  channelsByName: ReadonlyMap<string, LinkableChannel>
  /** The oldest messages of topics, by `topicKey`. */
  firstMessages: ReadonlyMap<string, number>
  /** Keys are `caseKey(name)`. */
  groupsByName: ReadonlyMap<string, MentionableGroup>
  customEmojiByName: ReadonlyMap<string, CustomEmoji>
  picturesByPathId: ReadonlyMap<string, MeasuredPicture>
}

/** Results of the look-ups; leave out kinds without results. */
export interface ResolvedReferences {
  users?: readonly MentionableUser[]
  channels?: readonly LinkableChannel[]
  topics?: readonly StartedTopic[]
  groups?: readonly MentionableGroup[]
  customEmoji?: readonly CustomEmoji[]
  pictures?: readonly MeasuredPicture[]
}

/** The key of a topic of a channel. */
export const topicKey = (channelId: number, topic: string): string => `${channelId} ${caseKey(topic)}`

/** Builds the lookup from results, so that keys are made in one place. */
export function createMentionLookup({
  users = [],
  channels = [],
  topics = [],
  groups = [],
  customEmoji = [],
  pictures = [],
}: ResolvedReferences): MentionLookup {
  const usersByName = new Map<string, MentionableUser[]>()
  for (const user of users) {
    const key = caseKey(user.fullName)
    usersByName.set(key, [...(usersByName.get(key) ?? []), user])
  }
  return {
    usersByName,
    usersById: new Map(users.map((user) => [user.userId, user])),
    channelsByName: new Map(channels.map((channel) => [channel.name, channel])),
    firstMessages: new Map(
      topics.map(({ channelId, topic, firstMessageId }) => [topicKey(channelId, topic), firstMessageId]),
    ),
    groupsByName: new Map(groups.map((group) => [caseKey(group.name), group])),
    customEmojiByName: new Map(customEmoji.map((emoji) => [emoji.name, emoji])),
    picturesByPathId: new Map(pictures.map((picture) => [picture.pathId, picture])),
  }
}
