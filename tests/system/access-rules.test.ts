import {
  type AccessRule,
  allows,
  channelRules,
  fileRules,
  messageRules,
  Role,
  systemGroupIds,
  userRules,
} from '@tms/contracts'
import { createLog, createPool, type Pool, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../services/messaging/src/attachments/file.queries.ts'
import { listNames } from '../../services/messaging/src/channels/channel-names.queries.ts'
import { listFlaggable } from '../../services/messaging/src/flags/flaggable.queries.ts'
import {
  channelColumns,
  grantColumns,
  PUBLISHED_ROLE,
} from '../../services/messaging/src/kernel/access/access.queries.ts'
import { allowsSql, refusesSql } from '../../services/messaging/src/kernel/access/access-sql.ts'
import {
  canAccessChannel,
  canJoinChannel,
  canReadArchivedHistory,
  canReadHistory,
  canSeeArchivedChannel,
  canSeeChannel,
} from '../../services/messaging/src/kernel/access/channel.rules.ts'
import { canReadFile } from '../../services/messaging/src/kernel/access/file.rules.ts'
import {
  canReadArchivedMessage,
  canSeeMessage,
} from '../../services/messaging/src/kernel/access/message.rules.ts'
import { listVisibleChannels } from '../../services/messaging/src/kernel/channels/visible-channel.queries.ts'
import { findInvisibleIds } from '../../services/messaging/src/kernel/guest-visibility/visible-users.ts'
import { listUnsubscribedHolders } from '../../services/messaging/src/kernel/messages/holders.queries.ts'
import { listMessageViews } from '../../services/messaging/src/kernel/messages/message-view.queries.ts'
import { listLinkableChannels } from '../../services/messaging/src/messages/linkable-channels.queries.ts'
import { deleteLostFlags } from '../../services/messaging/src/moves/carry-ranges.queries.ts'
import { listPolicies } from '../../services/messaging/src/moves/visibility.queries.ts'
import { listWebPublicChannels } from '../../services/messaging/src/register-state/spectator.queries.ts'
import { listUserTopics } from '../../services/messaging/src/topics/user-topic.queries.ts'
import {
  type AccessCaller,
  type ChannelKind,
  CONVERSATION,
  callers,
  channelMessages,
  channels,
  insertAccessCases,
  MEMBERSHIPS,
  type MessageKind,
  pathIdOf,
  UNLINKED_FILE,
} from './support/access-cases.ts'

let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 2, createLog('test', 'silent'))
  await insertAccessCases(db)
}, 180_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
})

const { owner, administrator, moderator, member, guest } = Role
type Roles = readonly (Role | null)[]
const NO_ONE: Roles = []
const ADMINISTRATORS: Roles = [owner, administrator]
const MEMBERS: Roles = [owner, administrator, moderator, member]
const USERS: Roles = [...MEMBERS, guest]
/** Null is a spectator. */
const EVERYONE: Roles = [...USERS, null]

/** Roles that may do something if subscribed, if they see the channel by a permission, if they read it so, and otherwise. */
const CHANNELS: Record<
  'see' | 'join' | 'access' | 'readHistory',
  Record<ChannelKind, readonly [subscribed: Roles, viewer: Roles, reader: Roles, other: Roles]>
> = {
  see: {
    'web-public': [USERS, EVERYONE, EVERYONE, EVERYONE],
    public: [USERS, MEMBERS, MEMBERS, MEMBERS],
    private: [USERS, MEMBERS, MEMBERS, ADMINISTRATORS],
    protected: [USERS, MEMBERS, MEMBERS, ADMINISTRATORS],
  },
  join: {
    'web-public': [USERS, EVERYONE, EVERYONE, EVERYONE],
    public: [USERS, MEMBERS, MEMBERS, MEMBERS],
    private: [USERS, NO_ONE, MEMBERS, NO_ONE],
    protected: [USERS, NO_ONE, MEMBERS, NO_ONE],
  },
  access: {
    'web-public': [USERS, EVERYONE, EVERYONE, EVERYONE],
    public: [USERS, MEMBERS, MEMBERS, MEMBERS],
    private: [USERS, NO_ONE, MEMBERS, NO_ONE],
    protected: [USERS, NO_ONE, MEMBERS, NO_ONE],
  },
  readHistory: {
    'web-public': [USERS, EVERYONE, EVERYONE, EVERYONE],
    public: [USERS, MEMBERS, MEMBERS, MEMBERS],
    private: [USERS, NO_ONE, MEMBERS, NO_ONE],
    protected: [NO_ONE, NO_ONE, NO_ONE, NO_ONE],
  },
}
type ByMembership = readonly [subscribed: Roles, left: Roles, never: Roles, viewer: Roles, reader: Roles]
const MESSAGES: Record<ChannelKind, Record<MessageKind, ByMembership>> = {
  'web-public': {
    old: [USERS, USERS, EVERYONE, EVERYONE, EVERYONE],
    received: [USERS, USERS, EVERYONE, EVERYONE, EVERYONE],
    found: [USERS, USERS, EVERYONE, EVERYONE, EVERYONE],
  },
  public: {
    old: [USERS, MEMBERS, MEMBERS, MEMBERS, MEMBERS],
    received: [USERS, MEMBERS, MEMBERS, MEMBERS, MEMBERS],
    found: [USERS, MEMBERS, MEMBERS, MEMBERS, MEMBERS],
  },
  private: {
    old: [USERS, NO_ONE, NO_ONE, NO_ONE, MEMBERS],
    received: [USERS, NO_ONE, NO_ONE, NO_ONE, MEMBERS],
    found: [USERS, NO_ONE, NO_ONE, NO_ONE, MEMBERS],
  },
  protected: {
    old: [NO_ONE, NO_ONE, NO_ONE, NO_ONE, NO_ONE],
    received: [USERS, NO_ONE, NO_ONE, NO_ONE, NO_ONE],
    found: [USERS, NO_ONE, NO_ONE, NO_ONE, MEMBERS],
  },
}
const ALL: ByMembership = [USERS, USERS, USERS, USERS, USERS]
/** A message that one has leads to its files, also after one has lost access to the channel. */
const FILES: typeof MESSAGES = {
  ...MESSAGES,
  public: { ...MESSAGES.public, received: [USERS, USERS, MEMBERS, MEMBERS, MEMBERS], found: ALL },
  private: { ...MESSAGES.private, received: [USERS, USERS, NO_ONE, NO_ONE, MEMBERS], found: ALL },
  protected: { ...MESSAGES.protected, received: [USERS, USERS, NO_ONE, NO_ONE, NO_ONE], found: ALL },
}

/** The pairs of caller and thing that are allowed, by name. */
function allowedPairs<T extends { readonly name: string }>(
  things: readonly T[],
  isAllowed: (caller: AccessCaller, thing: T) => boolean,
  by: readonly AccessCaller[] = callers,
): string[] {
  return by
    .flatMap((caller) => things.map((thing) => ({ caller, thing })))
    .filter(({ caller, thing }) => isAllowed(caller, thing))
    .map(({ caller, thing }) => `${caller.name}: ${thing.name}`)
}

/** The callers with an account. */
const users = callers.filter((one): one is AccessCaller & { readonly role: Role } => one.role !== null)

type Channel = (typeof channels)[number]
const GROUNDS: readonly AccessCaller['membership'][] = ['subscribed', 'viewer', 'reader']
const mayWith =
  (act: keyof typeof CHANNELS) =>
  ({ role, membership }: AccessCaller, { kind }: Channel): boolean =>
    (CHANNELS[act][kind][GROUNDS.indexOf(membership)] ?? CHANNELS[act][kind][3]).includes(role)
/** Nobody takes part in an archived channel; on request, users see and join it as if it were not archived. */
const acts = {
  see: { by: 'see', withArchived: false },
  seeArchived: { by: 'see', withArchived: true },
  join: { by: 'join', withArchived: true },
  access: { by: 'access', withArchived: false },
  readHistory: { by: 'readHistory', withArchived: false },
  readArchivedHistory: { by: 'readHistory', withArchived: true },
} as const
const may =
  (act: keyof typeof acts) =>
  (caller: AccessCaller, channel: Channel): boolean =>
    (!channel.is_archived || (acts[act].withArchived && caller.role !== null)) &&
    mayWith(acts[act].by)(caller, channel)
const isSeen = may('see')
const isIn = (pairs: readonly { readonly user_id: number; readonly id: number }[]) => {
  const found = new Set(pairs.map(({ user_id, id }) => `${user_id} ${id}`))
  return ({ userId }: AccessCaller, { id }: { readonly id: number }) => found.has(`${userId} ${id}`)
}

const MESSAGE_CONDITIONS = [
  ...['isDirect', 'isReceived', 'isHistorical', 'sharesHistory'],
  ...['isSubscribed', 'isViewer', 'isReader', 'isWebPublic', 'isPrivate', 'isArchived', 'role'],
]

describe('SQL and predicate of a rule are the same for all conditions', () => {
  const cases: [string, AccessRule<object>, readonly string[]][] = [
    [
      'who sees a channel',
      channelRules.see,
      ['isSubscribed', 'isViewer', 'isReader', 'isWebPublic', 'isPrivate', 'isArchived', 'role'],
    ],
    [
      'who sees it, archived or not',
      channelRules.seeArchived,
      ['isSubscribed', 'isViewer', 'isReader', 'isWebPublic', 'isPrivate', 'isArchived', 'role'],
    ],
    [
      'who may subscribe to it',
      channelRules.join,
      ['isSubscribed', 'isViewer', 'isReader', 'isWebPublic', 'isPrivate', 'isArchived', 'role'],
    ],
    [
      'who has access to it',
      channelRules.access,
      ['isSubscribed', 'isViewer', 'isReader', 'isWebPublic', 'isPrivate', 'isArchived', 'role'],
    ],
    [
      'who reads its history',
      channelRules.readHistory,
      [
        'isSubscribed',
        'isViewer',
        'isReader',
        'isWebPublic',
        'isPrivate',
        'isArchived',
        'sharesHistory',
        'role',
      ],
    ],
    [
      'who reads its history, archived or not',
      channelRules.readArchivedHistory,
      [
        'isSubscribed',
        'isViewer',
        'isReader',
        'isWebPublic',
        'isPrivate',
        'isArchived',
        'sharesHistory',
        'role',
      ],
    ],
    ['who sees the default channels', channelRules.seeDefaults, ['role']],
    ['who sees a message', messageRules.read, MESSAGE_CONDITIONS],
    ['who reads a message, archived or not', messageRules.readArchived, MESSAGE_CONDITIONS],
    [
      'who reads a file',
      fileRules.read,
      ['isOwner', 'isInPublicChannel', 'isInWebPublicChannel', 'isReceived', 'isInSharedHistory', 'role'],
    ],
    ['who sees a user', userRules.see, ['isRestricted', 'isSelf', 'isBot', 'isConnected', 'role']],
  ]

  test.each(cases)('%s', async (_, rule, names) => {
    const all = names.reduce<Record<string, unknown>[]>(
      (rows, name) => {
        const values = name === 'role' ? EVERYONE : [true, false]
        return rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })))
      },
      [{}],
    )
    const columns = Object.fromEntries(names.map((name) => [name, `one."${name}"`]))
    const types = names.map((name) => `"${name}" ${name === 'role' ? 'integer' : 'boolean'}`)
    const { rows } = await db.query<{ isAllowed: boolean; isRefused: boolean }>(
      `select ${allowsSql(rule, columns)} as "isAllowed", ${refusesSql(rule, columns)} as "isRefused"
         from jsonb_to_recordset($1) as one (position integer, ${types.join(', ')})
        order by position`,
      [JSON.stringify(all.map((conditions, position) => ({ ...conditions, position })))],
    )

    const expected = all.map((conditions) => allows(rule, conditions))
    expect(rows.map(({ isAllowed }) => isAllowed)).toEqual(expected)
    expect(rows.map(({ isRefused }) => !isRefused)).toEqual(expected)
  })
})

describe('a channel', () => {
  const subscription = ({ membership }: AccessCaller) =>
    membership === 'never subscribed'
      ? null
      : {
          isActive: membership === 'subscribed',
          isViewer: membership === 'viewer' || membership === 'reader',
          isReader: membership === 'reader',
        }
  const kindOf = (channel: Channel) => ({
    inviteOnly: channel.invite_only,
    isWebPublic: channel.is_web_public,
    isArchived: channel.is_archived,
    historyPublicToSubscribers: channel.shares_history,
  })
  const predicates = {
    ...{ see: canSeeChannel, seeArchived: canSeeArchivedChannel, join: canJoinChannel },
    ...{ access: canAccessChannel, readHistory: canReadHistory },
    readArchivedHistory: canReadArchivedHistory,
  }

  test.each(Object.keys(acts) as (keyof typeof acts)[])(
    'lets SQL and predicate %s it as the API document says',
    async (act) => {
      const rule: AccessRule<object> = channelRules[act]
      const conditions = {
        ...channelColumns('channels'),
        ...grantColumns('channels', 'caller.user_id'),
        isSubscribed: 'coalesce(subscriptions.is_active or subscriptions.is_in_archive, false)',
        role: PUBLISHED_ROLE,
      }
      const { rows } = await db.query<{ user_id: number; id: number }>(
        `select caller.user_id, channels.id
           from unnest($1::bigint[]) as caller (user_id)
          cross join channels
           left join known_users on known_users.user_id = caller.user_id
           left join subscriptions on subscriptions.user_id = caller.user_id and subscriptions.channel_id = channels.id
          where ${allowsSql(rule, conditions)}`,
        [callers.map(({ userId }) => userId)],
      )

      expect(allowedPairs(channels, isIn(rows))).toEqual(allowedPairs(channels, may(act)))
      const decided = (caller: AccessCaller, channel: Channel) =>
        predicates[act]({ role: caller.role ?? guest }, kindOf(channel), subscription(caller))
      // A spectator reads as a guest who is nowhere, but doesn't request archived channels.
      const by = acts[act].withArchived ? users : callers
      expect(allowedPairs(channels, decided, by)).toEqual(allowedPairs(channels, may(act), by))
    },
  )

  const seen = allowedPairs(channels, isSeen, users)

  test('is in exactly the lists of users who see it', async () => {
    const lists = { visible: [], linkable: [], policies: [] } as Record<
      string,
      { user_id: number; id: number }[]
    >
    for (const user of users) {
      const add = (list: string, ids: number[]) =>
        lists[list]?.push(...ids.map((id) => ({ user_id: user.userId, id })))
      add(
        'visible',
        (await listVisibleChannels(db, user, { withArchived: false })).map(({ record }) => record.stream_id),
      )
      const names = channels.map(({ name }) => name)
      add(
        'linkable',
        (await listLinkableChannels(db, user, names)).map(({ channelId }) => channelId),
      )
      add(
        'policies',
        (await listUserTopics(db, user.userId)).map(({ stream_id }) => stream_id),
      )
    }

    for (const list of Object.values(lists)) {
      expect(allowedPairs(channels, isIn(list), users)).toEqual(seen)
    }
  })

  test('is in the list with archived channels of users who would see it otherwise', async () => {
    const listed: { user_id: number; id: number }[] = []
    for (const user of users) {
      const visible = await listVisibleChannels(db, user, { withArchived: true })
      listed.push(...visible.map(({ record }) => ({ user_id: user.userId, id: record.stream_id })))
    }

    expect(allowedPairs(channels, isIn(listed), users)).toEqual(
      allowedPairs(channels, may('seeArchived'), users),
    )
  })

  test('is named to exactly the users who see it', async () => {
    const requests = users.flatMap((user) => channels.map(({ id }) => ({ ...user, channelId: id })))
    const names = await listNames(db, requests)

    const named = requests.flatMap(({ userId, channelId }, index) =>
      names[index] === null ? [] : [{ user_id: userId, id: channelId }],
    )
    expect(allowedPairs(channels, isIn(named), users)).toEqual(seen)
  })

  test('is shown to spectators if it is web-public', async () => {
    const shown = await listWebPublicChannels(db, 1)

    expect(shown.map(({ name }) => name)).toEqual(
      channels
        .filter((channel) => callers.some((one) => one.role === null && isSeen(one, channel)))
        .map(({ name }) => name),
    )
  })

  test('lets topic policies follow a move, sends changes, and keeps flags where users may read', async () => {
    // No message is moved into an archived channel.
    for (const channel of channels.filter((one) => !one.is_archived)) {
      const readers = users.filter((user) => mayWith('access')(user, channel))
      const readerIds = readers.map(({ userId }) => userId)
      const target = { ...kindOf(channel), id: channel.id, recipientId: channel.recipient_id }
      const moved = { channel: target, topic: 'topic' }
      const messages = channelMessages.filter(({ channel_id }) => channel_id === channel.id)
      const messageIds = messages.map(({ id }) => id)
      const found = messages.find(({ message }) => message === 'found')?.id

      const { following, holders, flagged } = await transact(db, async (tx) => {
        const policies = await listPolicies(tx, moved, moved)
        const unsubscribed = await listUnsubscribedHolders(tx, channel.id, messageIds)
        await tx.query('create temp table kept on commit drop as select * from message_flags')
        await deleteLostFlags(tx, channel.id, target, messageIds)
        const { rows } = await tx.query<{ userId: number }>(
          'select user_id as "userId" from message_flags where message_id = $1 order by user_id',
          [found],
        )
        await tx.query('insert into message_flags select * from kept on conflict do nothing')
        return {
          following: policies.filter(({ canFollow }) => canFollow).map(({ userId }) => userId),
          holders: unsubscribed,
          flagged: rows.map(({ userId }) => userId),
        }
      })

      expect(following, channel.name).toEqual(readerIds)
      expect(flagged, channel.name).toEqual(readerIds)
      // Everybody has a row of flags.
      expect(holders, channel.name).toEqual(
        users
          .filter((user) =>
            may('access')(user.membership === 'subscribed' ? { ...user, membership: 'left' } : user, channel),
          )
          .map(({ userId }) => userId),
      )
    }
  })
})

type Message = (typeof channelMessages)[number]
const mayBy =
  (table: typeof MESSAGES) =>
  ({ role, membership }: AccessCaller, { kind, message }: Message): boolean =>
    table[kind][message][MEMBERSHIPS.indexOf(membership)]?.includes(role) ?? false
/** Archived channels are closed to spectators only, or to everybody. */
const maySee =
  (table: typeof MESSAGES, { withArchived }: { withArchived: boolean }) =>
  (caller: AccessCaller, message: Message): boolean =>
    (!message.is_archived || (withArchived && caller.role !== null)) && mayBy(table)(caller, message)
const isInConversation = ({ userId }: AccessCaller) => CONVERSATION.userIds.includes(userId)

test.each([
  { rule: 'read', predicate: canSeeMessage, withArchived: false },
  { rule: 'readArchived', predicate: canReadArchivedMessage, withArchived: true },
] as const)(
  'a message is seen by SQL and predicate as the API document says: $rule',
  async ({ rule, predicate, withArchived }) => {
    const { rows } = await db.query<{ user_id: number; id: number }>(
      `select caller.user_id, m.id
         from unnest($1::bigint[]) as caller (user_id)
        cross join messages m
         left join known_users on known_users.user_id = caller.user_id
         left join channels on channels.id = m.channel_id
         left join subscriptions s on s.user_id = caller.user_id and s.channel_id = m.channel_id
         left join conversation_members j on j.user_id = caller.user_id and j.recipient_id = m.recipient_id
         left join message_flags f on f.user_id = caller.user_id and f.message_id = m.id
        where ${allowsSql(messageRules[rule], {
          isDirect: 'm.channel_id is null',
          isReceived: '(j.user_id is not null or coalesce(s.received @> m.id, false))',
          isHistorical: 'coalesce(f.is_historical, false)',
          isArchived: 'coalesce(channels.is_archived, false)',
          isSubscribed: 'coalesce(s.is_active or s.is_in_archive, false)',
          isViewer: false,
          isReader: `coalesce(${grantColumns('channels', 'caller.user_id').isReader}, false)`,
          isWebPublic: 'coalesce(channels.is_web_public, false)',
          isPrivate: 'coalesce(channels.invite_only, true)',
          sharesHistory: 'coalesce(channels.history_public_to_subscribers, false)',
          role: PUBLISHED_ROLE,
        })}`,
      [callers.map(({ userId }) => userId)],
    )
    const ids = [...channelMessages.map(({ id }) => id), CONVERSATION.messageId]
    const decided: { user_id: number; id: number }[] = []
    // A spectator reads as a guest who is nowhere, but doesn't request archived messages.
    const by = withArchived ? users : callers
    for (const { userId, realmId, role } of by) {
      const found = await listMessageViews(db, { userId, realmId }, ids, {})
      const seen = found.filter((message) => predicate({ role: role ?? guest }, message))
      decided.push(...seen.map(({ id }) => ({ user_id: userId, id })))
    }

    const direct = { id: CONVERSATION.messageId, name: 'direct message' }
    const isAllowed = maySee(MESSAGES, { withArchived })
    for (const [pairs, whose] of [[rows, callers] as const, [decided, by] as const]) {
      expect(allowedPairs(channelMessages, isIn(pairs), whose)).toEqual(
        allowedPairs(channelMessages, isAllowed, whose),
      )
      expect(allowedPairs([direct], isIn(pairs), whose)).toEqual(
        allowedPairs([direct], isInConversation, whose),
      )
    }
  },
)

test('flags are set on the messages that are seen', async () => {
  const ids = channelMessages.map(({ id }) => id)
  const decided: { user_id: number; id: number }[] = []
  for (const { userId, realmId, role } of callers) {
    const found = await listFlaggable(db, { userId, realmId }, ids)
    const seen = found.filter((message) => canSeeMessage({ role: role ?? guest }, message))
    decided.push(...seen.map(({ id }) => ({ user_id: userId, id })))
  }

  expect(allowedPairs(channelMessages, isIn(decided))).toEqual(
    allowedPairs(channelMessages, maySee(MESSAGES, { withArchived: false })),
  )
})

test('a file is read as the API document says', async () => {
  const files = [
    ...channelMessages.map(({ id, name }) => ({ id, name, pathId: pathIdOf(id) })),
    { id: CONVERSATION.messageId, name: 'direct message', pathId: pathIdOf(CONVERSATION.messageId) },
    { id: 0, name: 'in no message', pathId: UNLINKED_FILE.pathId },
  ]
  const readable: { user_id: number; id: number }[] = []
  for (const { userId, role } of callers) {
    const found = await listFiles(
      db,
      files.map(({ pathId }) => pathId),
      { userId: role === null ? null : userId, role },
    )
    const paths = new Set(found.filter((file) => canReadFile({ role }, file)).map(({ pathId }) => pathId))
    readable.push(
      ...files.filter(({ pathId }) => paths.has(pathId)).map(({ id }) => ({ user_id: userId, id })),
    )
  }

  const expected = (caller: AccessCaller, { id }: { readonly id: number }): boolean => {
    if (id === 0) return caller.userId === UNLINKED_FILE.ownerId
    const message = channelMessages.find((one) => one.id === id)
    return message ? maySee(FILES, { withArchived: true })(caller, message) : isInConversation(caller)
  }
  expect(allowedPairs(files, isIn(readable))).toEqual(allowedPairs(files, expected))
})

describe('a user', () => {
  const { 'role:everyone': EVERYONE, 'role:members': MEMBERS } = systemGroupIds
  const BOT = { user_id: 800, is_bot: true }
  const shown = [...users.map(({ userId }) => ({ user_id: userId, is_bot: false })), BOT]
  const visibleTo = async (
    viewer: AccessCaller & { readonly role: Role },
    group: number,
  ): Promise<number[]> => {
    const realm = { can_access_all_users_group: group } as never
    const invisible = await findInvisibleIds(db, realm, viewer, shown)
    return shown.map(({ user_id }) => user_id).filter((id) => !invisible.has(id))
  }

  test('is seen by everyone in an organization that restricts no guests', async () => {
    for (const viewer of users) expect(await visibleTo(viewer, EVERYONE)).toHaveLength(shown.length)
  })

  test('is seen by everyone but guests in an organization that restricts them', async () => {
    for (const viewer of users.filter(({ role }) => role !== guest)) {
      expect(await visibleTo(viewer, MEMBERS)).toHaveLength(shown.length)
    }
  })

  test('is seen by a restricted guest who shares a channel or a conversation with messages', async () => {
    const guests = users.filter(({ role }) => role === guest)
    const visible = await Promise.all(guests.map((viewer) => visibleTo(viewer, MEMBERS)))

    expect(visible).toEqual([
      [owner, administrator, moderator, member, guest, BOT.user_id],
      [owner, guest + 1, BOT.user_id],
      [guest + 2, BOT.user_id],
      [guest + 3, BOT.user_id],
      [guest + 4, BOT.user_id],
    ])
  })
})
