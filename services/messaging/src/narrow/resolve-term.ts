import { topicOf } from '@tms/contracts'
import { type Caller, isLimited, type Queryable } from '@tms/service-kit'
import { canAccessChannel, canSeeArchivedChannel, readingMembership } from '../kernel/access/channel.rules.ts'
import { findVisibleByEmails, findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'
import { findConversation } from '../kernel/messages/conversation.queries.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'
import {
  type ChannelTarget,
  findChannelTarget,
  findReadTarget,
} from '../kernel/messages/posting-target.queries.ts'
import type { Meaning, ResolveContext } from './meaning.ts'
import { badNarrow, operatorName, parseMessageId, parseState, parseWord, type Term } from './narrow.rules.ts'
import { parseSearchText } from './search-text.rules.ts'

/** Looks up what a term names. Throws BAD_NARROW, and BAD_REQUEST for a blank search. */
export async function resolveTerm(context: ResolveContext, caller: Caller, term: Term): Promise<Meaning> {
  const { operand, isNegated } = term
  switch (operatorName(term.operator)) {
    case 'channel': {
      const target = await getChannel(context, caller, operand)
      const condition = { kind: 'channel', channelId: target.channel.id, isNegated } as const
      return isNegated ? { condition } : { condition, target }
    }
    case 'channels': {
      const openness = parseWord(term, ['public', 'web-public'])
      const condition = { kind: 'open_channel', openness, isNegated } as const
      return isNegated ? { condition } : { condition, only: 'channels', openness }
    }
    case 'topic': {
      const condition = { kind: 'topic', topic: topicOf(String(operand)), isNegated } as const
      return isNegated ? { condition } : { condition, only: 'channels' }
    }
    case 'dm': {
      const conversationId = await findConversationId(context, caller, operand)
      const condition = { kind: 'conversation', recipientId: conversationId ?? 0, isNegated } as const
      return isNegated ? { condition } : { condition, target: { conversationId } }
    }
    case 'dm-including':
    case 'group-pm-with': {
      const isGroup = operatorName(term.operator) === 'group-pm-with'
      const including = { userId: await findUser(context, caller, operand), isGroup }
      const condition = { kind: 'including', ...including, isNegated } as const
      return isNegated ? { condition } : { condition, only: 'conversations', including }
    }
    case 'sender':
      return { condition: { kind: 'sender', userId: await findSender(context, caller, operand), isNegated } }
    case 'id':
      return { condition: { kind: 'id', messageIds: [parseMessageId(operand)], isNegated } }
    case 'is':
      return resolveState(term)
    case 'has':
      return { condition: { kind: 'has', what: parseWord(term, CONTENTS), isNegated } }
    case 'in':
      // Whether the narrow names a channel is known only after all terms.
      return parseWord(term, ['home', 'all']) === 'all'
        ? {}
        : { condition: { kind: 'home', namesChannel: false, isNegated: false } }
    case 'search':
      return { condition: { kind: 'search', ...parseSearchText(operand), isNegated } }
    case 'near':
      return {}
    default:
      throw badNarrow(`unknown operator ${term.operator}`)
  }
}

const CONTENTS = ['link', 'image', 'attachment', 'reaction'] as const

function resolveState({ operand, isNegated }: Term): Meaning {
  const state = parseState(operand)
  switch (state) {
    case 'direct':
      return { only: isNegated ? 'channels' : 'conversations' }
    case 'unread':
      return { reading: isNegated ? 'read' : 'unread' }
    case 'resolved':
    case 'followed':
    case 'muted': {
      const condition = { kind: state, isNegated } as const
      return isNegated ? { condition } : { condition, only: 'channels' }
    }
    default:
      return { condition: { kind: state, isNegated } }
  }
}

async function getChannel(
  { db }: ResolveContext,
  caller: Caller,
  operand: Term['operand'],
): Promise<ChannelTarget> {
  const reference = typeof operand === 'number' ? { id: operand } : { name: String(operand) }
  const target = await findReadChannel(db, caller, reference)
  if (!target) throw badNarrow(`unknown channel ${String(operand)}`)
  return target
}

/** A channel to read in, archived or not; null also if the caller neither sees it nor was ever in it. */
export async function findReadChannel(
  db: Queryable,
  caller: Caller,
  reference: ChannelReference,
): Promise<ChannelTarget | null> {
  const live = await findChannelTarget(db, caller, reference)
  if (live && canAccessChannel(caller, live.channel, readingMembership(live))) return live
  const target = await findReadTarget(db, caller, reference)
  if (!target) return null
  const { channel, isSubscribed: isActive, isViewer, isReader } = target
  return target.wasIn || canSeeArchivedChannel(caller, channel, { isActive, isViewer, isReader })
    ? target
    : null
}

/** Sent nothing: an API token that is limited to channels doesn't tell who exists. */
const NOBODY = 0

/** Guests get the IDs of senders of all messages that they read, even of users they don't see otherwise. */
async function findSender(
  context: ResolveContext,
  caller: Caller,
  operand: Term['operand'],
): Promise<number> {
  const userId =
    typeof operand === 'number'
      ? (await context.projections.findUsersByIds(caller.realmId, [operand])).get(operand)?.user_id
      : await findUserId(context, caller, operand)
  return userId ?? (isLimited(caller) ? NOBODY : unknownUser(operand))
}

async function findUser(context: ResolveContext, caller: Caller, operand: Term['operand']): Promise<number> {
  return (await findUserId(context, caller, operand)) ?? unknownUser(operand)
}

async function findUserId(
  context: ResolveContext,
  caller: Caller,
  operand: Term['operand'],
): Promise<number | undefined> {
  const user =
    typeof operand === 'number'
      ? (await findVisibleByIds(context, caller, [operand])).get(operand)
      : (await findVisibleByEmails(context, caller, [String(operand)])).get(String(operand).toLowerCase())
  return user?.user_id
}

function unknownUser(operand: Term['operand']): never {
  throw badNarrow(`unknown user ${String(operand)}`)
}

/** The conversation of exactly the named users and the caller; null if it has no message. */
async function findConversationId(
  context: ResolveContext,
  caller: Caller,
  operand: Term['operand'],
): Promise<number | null> {
  const { realmId, userId } = caller
  const ids = typeof operand === 'object' ? operand : await getIdsByEmail(context, caller, String(operand))
  if (ids.length === 0) throw badNarrow('a conversation needs someone to be with')
  const found = await findVisibleByIds(context, caller, ids)
  const unknown = ids.find((id) => !found.has(id))
  if (unknown !== undefined) throw badNarrow(`unknown user in ${String(operand)}`)
  const members = [...new Set([...ids, userId])].sort((a, b) => a - b)
  return (await findConversation(context.db, realmId, members))?.recipientId ?? null
}

async function getIdsByEmail(context: ResolveContext, caller: Caller, text: string): Promise<number[]> {
  const emails = text
    .split(',')
    .map((email) => email.trim().toLowerCase())
    .filter((email) => email !== '')
  const found = await findVisibleByEmails(context, caller, emails)
  return emails.map((email) => {
    const user = found.get(email)
    if (!user) throw badNarrow(`unknown user in ${text}`)
    return user.user_id
  })
}
