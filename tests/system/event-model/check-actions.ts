import { domainEvents } from '@tms/contracts'
import { type Action, MAY_CHANGE_NOTHING } from './actor.ts'
import type { LogRecord } from './log-records.ts'

const { messaging, realm, users } = domainEvents

/** The event of an act in the log, if any. */
const EVENTS: Readonly<Record<Action['act'], string | null>> = {
  say: messaging.messageSent.name,
  whisper: messaging.messageSent.name,
  edit: messaging.messageUpdated.name,
  delete: messaging.messagesDeleted.name,
  react: messaging.reactionUpdated.name,
  flag: messaging.messageFlagsUpdated.name,
  move: messaging.messageUpdated.name,
  join: messaging.subscribersAdded.name,
  fetch: messaging.subscribersAdded.name,
  leave: messaging.subscribersRemoved.name,
  dismiss: messaging.subscribersRemoved.name,
  rename: users.userUpdated.name,
  promote: users.userUpdated.name,
  type: messaging.typingChanged.name,
  link: realm.linkifiersChanged.name,
  restrict: realm.realmUpdated.name,
  expel: users.userUpdated.name,
  alert: users.alertWordsUpdated.name,
  ring: messaging.messageSent.name,
  open: messaging.messageFlagsUpdated.name,
  render: null,
  review: null,
  enter: null,
  administer: null,
}

/** A typing indicator is late if a message that was sent this much later precedes it. */
const LATE_MS = 10_000

/**
 * Compares a user's actions with the log: successful ones occur once, refused ones do not, and unanswered ones occur at most
 * once; actions on one service occur in their order.
 */
export function checkActions(actor: string, actions: readonly Action[], log: readonly LogRecord[]): string[] {
  const problems: string[] = []
  const lastOffsets = new Map<string, number>()
  for (const action of actions) {
    const { act, outcome, mark } = action
    const event = EVENTS[act]
    if (event === null) continue
    const what = `${actor}: ${act} ${mark ?? action.requestIds.join()}, ${outcome},`
    const offsets = entriesOf(action, log).map(({ offset }) => offset)
    if (offsets.length > 1) problems.push(`${what} is in the log ${offsets.length} times`)
    if (outcome === 'refused' && offsets.length > 0) problems.push(`${what} is in the log`)
    if (outcome === 'done' && offsets.length === 0 && !MAY_CHANGE_NOTHING.has(act)) {
      problems.push(`${what} is not in the log`)
    }
    const offset = offsets[0]
    // Typing does not use the ordered outbox, and an unanswered action may have been done much later.
    if (act === 'type' || outcome !== 'done' || offset === undefined) continue
    const service = event.split('.')[0] ?? ''
    const before = lastOffsets.get(service) ?? -1
    if (offset < before)
      problems.push(`${what} is in the log at ${offset}, before what preceded it, at ${before}`)
    lastOffsets.set(service, offset)
  }
  return problems
}

/** Typing may be lost, but must not follow much later messages of others. */
export function checkTyping(actions: readonly Action[], log: readonly LogRecord[]): string[] {
  const sent = actions.filter(({ act, outcome }) => act === 'say' && outcome === 'done')
  const offsets = new Map(sent.map((action) => [action, offsetOf(action, log)]))
  return actions
    .filter(({ act }) => act === 'type')
    .flatMap((typing) => {
      const offset = offsetOf(typing, log)
      const isLate = sent.some(
        (action) => action.beganAt > typing.endedAt + LATE_MS && (offsets.get(action) ?? 0) < offset,
      )
      return isLate ? [`${typing.mark} came too late, at ${offset}`] : []
    })
}

const offsetOf = (action: Action, log: readonly LogRecord[]): number =>
  entriesOf(action, log)[0]?.offset ?? -1

/** The log entries of an action. */
export function entriesOf({ act, requestIds, mark }: Action, log: readonly LogRecord[]): LogRecord[] {
  return log.filter(({ entry }) => {
    if (entry.event !== EVENTS[act]) return false
    if (!requestIds.includes(entry.request_id ?? '')) return false
    return mark === null || JSON.stringify(entry.payload).includes(`"${mark}"`)
  })
}
