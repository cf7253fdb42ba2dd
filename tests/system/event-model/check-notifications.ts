import { domainEvents, type PayloadOf } from '@tms/contracts'
import type { LogRecord } from './log-records.ts'

const { messaging } = domainEvents

/** A participant at the end of a history, with what reached their device and their mail address. */
export interface NotifiedPerson {
  readonly name: string
  readonly userId: number
  /** Their channels at the beginning. */
  readonly channelIds: readonly number[]
  /** What the device got, in order. */
  readonly pushes: readonly Readonly<Record<string, unknown>>[]
  /** Mails, also repeated ones. */
  readonly mails: readonly { readonly id: string; readonly text: string }[]
}

/**
 * What the model says of one message and one person: on the device at the end and in one mail (`due`); not on the device at the
 * end, and in one mail at most (`gone`: read or deleted); or neither is certain (`open`), since the message moved, its mention was
 * taken out, or the person left its channel before or after the decision.
 */
interface Expectation {
  state: 'due' | 'gone' | 'open'
  readonly channelId: number | null
  /** What identifies its texts: the first one, and those of edits. */
  readonly marks: string[]
}

/**
 * Compares what reached people with what follows from the log: each person who is to be notified is, once, and nobody else.
 * `mayRepeat` says that a device may have got something again, as after a process died between the push and its record.
 */
export function checkNotifications(
  people: readonly NotifiedPerson[],
  log: readonly LogRecord[],
  mayRepeat: boolean,
): string[] {
  const sentIds = new Set(
    log.flatMap(({ entry }) =>
      entry.event === messaging.messageSent.name
        ? [(entry.payload as PayloadOf<typeof messaging.messageSent>).message.id]
        : [],
    ),
  )
  return people.flatMap((person) => {
    const expected = expectedOf(person, new Set(people.map(({ userId }) => userId)), log)
    return [...checkDevice(person, expected, sentIds, mayRepeat), ...checkMails(person, expected)].map(
      (problem) => `${person.name} ${problem}`,
    )
  })
}

function checkDevice(
  { pushes }: NotifiedPerson,
  expected: ReadonlyMap<number, Expectation>,
  sentIds: ReadonlySet<number>,
  mayRepeat: boolean,
): string[] {
  const shown = new Set<number>()
  const arrived = new Map<number, number>()
  const problems: string[] = []
  for (const push of pushes) {
    if (push['type'] === 'remove') for (const id of push['message_ids'] as number[]) shown.delete(id)
    if (push['type'] !== 'message') continue
    const id = Number(push['message_id'])
    // Earlier histories of the same system have other messages.
    if (!sentIds.has(id)) continue
    shown.add(id)
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
  }
  for (const [id, times] of arrived) {
    if (!expected.has(id)) problems.push(`got message ${id} on the device, which is for others`)
    if (times > 1 && !mayRepeat) problems.push(`got message ${id} on the device ${times} times`)
  }
  for (const [id, { state, marks }] of expected) {
    if (state === 'due' && !shown.has(id)) problems.push(`has no message ${id} (${marks[0]}) on the device`)
    if (state === 'gone' && shown.has(id))
      problems.push(`still has message ${id} (${marks[0]}), which is read or deleted, on the device`)
  }
  return problems
}

function checkMails({ mails }: NotifiedPerson, expected: ReadonlyMap<number, Expectation>): string[] {
  // A mail that comes again has the same ID.
  const texts = new Map(mails.map(({ id, text }) => [id, text]))
  const mailsByMark = new Map<string, Set<string>>()
  for (const [id, text] of texts)
    for (const mark of marksIn(text)) mailsByMark.set(mark, (mailsByMark.get(mark) ?? new Set()).add(id))
  const missing: string[] = []
  const repeated: string[] = []
  for (const [id, { state, channelId, marks }] of expected) {
    const times = new Set(marks.flatMap((mark) => [...(mailsByMark.get(mark) ?? [])])).size
    if (state === 'due' && times === 0) missing.push(`has no mail with message ${id} (${marks[0]})`)
    // Mails about mentions show what preceded them, so messages of channels may be in several.
    if (channelId === null && times > 1) repeated.push(`has ${times} mails with message ${id} (${marks[0]})`)
  }
  // After a long outage a mail shows the newest messages of a conversation, and says how many it doesn't show.
  const leftOut = [...texts.values()].reduce((sum, text) => sum + countLeftOut(text), 0)
  return [...(missing.length > leftOut ? missing : []), ...repeated]
}

/** The model: the messages that concern a person, entry by entry. */
function expectedOf(
  { userId, channelIds }: NotifiedPerson,
  participants: ReadonlySet<number>,
  log: readonly LogRecord[],
) {
  const subscribed = new Set(channelIds)
  const expected = new Map<number, Expectation>()
  const set = (id: number, state: Expectation['state']) => {
    const known = expected.get(id)
    if (known && known.state !== 'gone') known.state = state
  }
  for (const { entry } of log) {
    switch (entry.event) {
      case messaging.subscribersAdded.name: {
        const { channel, added } = entry.payload as PayloadOf<typeof messaging.subscribersAdded>
        if (added.some((one) => one.user_id === userId)) subscribed.add(channel.stream_id)
        break
      }
      case messaging.subscribersRemoved.name: {
        const { channel, user_ids } = entry.payload as PayloadOf<typeof messaging.subscribersRemoved>
        if (!user_ids.includes(userId)) break
        subscribed.delete(channel.stream_id)
        for (const [id, { channelId }] of expected) if (channelId === channel.stream_id) set(id, 'open')
        break
      }
      case messaging.messageSent.name: {
        const payload = entry.payload as PayloadOf<typeof messaging.messageSent>
        const { message, recipient_user_ids, flags_by_user, raw_content } = payload
        if (message.sender_id === userId) break
        const channelId = message.stream_id ?? null
        const isMentioned = flags_by_user[userId]?.includes('mentioned') ?? false
        const isConcerned =
          recipient_user_ids?.includes(userId) ?? (isMentioned && subscribed.has(channelId ?? 0))
        // What bots of the system write to an account in its first minute notifies nobody.
        const state = participants.has(message.sender_id) ? 'due' : 'open'
        if (isConcerned) expected.set(message.id, { state, channelId, marks: marksIn(raw_content) })
        break
      }
      case messaging.messageUpdated.name: {
        const { update, flags_by_user } = entry.payload as PayloadOf<typeof messaging.messageUpdated>
        const edited = expected.get(update.message_id)
        if (edited && update.content !== undefined) {
          edited.marks.push(...marksIn(update.content))
          const isMentioned = flags_by_user[userId]?.includes('mentioned') ?? false
          if (edited.channelId !== null && !isMentioned) set(update.message_id, 'open')
        }
        if (update.subject !== undefined || update.new_stream_id !== undefined)
          for (const id of update.message_ids) set(id, 'open')
        break
      }
      case messaging.messagesDeleted.name: {
        const { message_ids, moved_to } = entry.payload as PayloadOf<typeof messaging.messagesDeleted>
        for (const id of message_ids) set(id, moved_to === null ? 'gone' : 'open')
        break
      }
      case messaging.messageFlagsUpdated.name: {
        const flags = entry.payload as PayloadOf<typeof messaging.messageFlagsUpdated>
        if (flags.user_id !== userId || flags.flag !== 'read') break
        for (const id of flags.messages) set(id, flags.op === 'add' ? 'gone' : 'open')
        break
      }
    }
  }
  return expected
}

/** How many messages of its conversation a mail says that it doesn't show. */
const countLeftOut = (text: string): number =>
  Number(/\b(\d+) earlier messages? not shown here\./.exec(text)?.[1] ?? 0)

/** The texts of actors in a text, such as `say 12`. */
const marksIn = (text: string): string[] => text.match(/\b(?:say|whisper|ring|edit|settled) \d+\b/g) ?? []
