// A client that follows an event queue, and the events that it must have received.

/** An event of the types that followers request. */
export interface Event {
  id: number
  type: string
  op?: string
  message_id?: number
  content?: string
  message?: { id: number; display_recipient: unknown }
}

/** Where the load's senders write. */
export const CHANNEL = 'general'

export interface Follower {
  /** The phase in which it registered. */
  since: string
  /** The newest message of then. */
  firstId: number
  lastEventId: number
  /** Keys of the received events. */
  received: string[]
  errors: string[]
}

/** Actions of the load, by the keys of their events. */
export interface Actions {
  /** Followers must receive each once. */
  accepted: Set<string>
  /** Failed actions, which may have taken effect all the same: followers may receive them. */
  unconfirmed: { keys: Set<string>; messages: number }
}

/** Records an event, if it is one that is checked. */
export function recordEvent(follower: Follower, event: Event): void {
  if (event.id <= follower.lastEventId)
    follower.errors.push(`event ${event.id} after ${follower.lastEventId}`)
  follower.lastEventId = event.id
  const key = keyOf(event)
  if (key !== null) follower.received.push(key)
}

/** A key that identifies an event; null for events that are not checked. */
function keyOf(event: Event): string | null {
  // Notices about other channels and groups are in an order of their own.
  if (event.type === 'message')
    return event.message?.display_recipient === CHANNEL ? `message ${event.message.id}` : null
  if (event.type === 'update_message' && event.content !== undefined)
    return `edit ${event.message_id} ${event.content}`
  return event.type === 'reaction' ? `reaction ${event.message_id} ${event.op}` : null
}

/**
 * Lists the problems of a follower. It must have received all actions accepted since it registered, once and in order, and
 * otherwise only unconfirmed ones.
 */
export function checkFollower(follower: Follower, { accepted, unconfirmed }: Actions): string[] {
  const { since, firstId, received, errors } = follower
  const wanted = [...accepted].filter((key) => idOf(key) > firstId)
  const had = new Set(received)
  const unexpected = received.filter(
    (key) => idOf(key) > firstId && !accepted.has(key) && !unconfirmed.keys.has(key),
  )
  const isOfMessage = (key: string) => key.startsWith('message ')
  const ids = received.filter(isOfMessage).map(idOf)
  const isTooEarly = (key: string, at: number) =>
    !received.slice(0, at).includes(key.replace('remove', 'add'))
  return [
    ...errors,
    ...(had.size < received.length ? [`${received.length - had.size} duplicate events`] : []),
    ...wanted.filter((key) => !had.has(key)).map((key) => `missing ${key}`),
    ...unexpected.filter((key) => !isOfMessage(key)).map((key) => `unexpected ${key}`),
    ...(unexpected.filter(isOfMessage).length > unconfirmed.messages ? ['unexpected messages'] : []),
    ...(ids.some((id, at) => id < (ids[at - 1] ?? 0)) ? ['messages out of order'] : []),
    ...received
      .filter((key, at) => key.endsWith(' remove') && idOf(key) > firstId && isTooEarly(key, at))
      .map((key) => `${key} before it was added`),
  ].map((problem) => `a follower since "${since}": ${problem}`)
}

const idOf = (key: string) => Number(key.split(' ')[1])
