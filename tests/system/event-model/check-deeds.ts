import { domainEvents } from '@tms/contracts'
import { type Deed, MAY_BE_IDLE } from './actor.ts'
import type { Known } from './known-log.ts'

const { messaging, realm, users } = domainEvents

/** What an act becomes in the log, if anything. */
const EVENTS: Readonly<Record<Deed['act'], string | null>> = {
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
  render: null,
  review: null,
  enter: null,
  administer: null,
}

/** A typing indicator that comes after what was sent so much later is late. */
const LATE_MS = 10_000

/**
 * Compares what someone did with the log: what was answered with success is there once, what was refused is not, what
 * wasn't answered is there once or not at all; and what one service was told to do is there in that order.
 */
export function checkDeeds(actor: string, deeds: readonly Deed[], log: readonly Known[]): string[] {
  const problems: string[] = []
  const lastOffsets = new Map<string, number>()
  for (const deed of deeds) {
    const { act, outcome, mark } = deed
    const event = EVENTS[act]
    if (event === null) continue
    const what = `${actor}: ${act} ${mark ?? deed.requestIds.join()}, ${outcome},`
    const offsets = entriesOf(deed, log).map(({ offset }) => offset)
    if (offsets.length > 1) problems.push(`${what} is in the log ${offsets.length} times`)
    if (outcome === 'refused' && offsets.length > 0) problems.push(`${what} is in the log`)
    if (outcome === 'done' && offsets.length === 0 && !MAY_BE_IDLE.has(act)) {
      problems.push(`${what} is not in the log`)
    }
    const offset = offsets[0]
    // Typing goes past what is told in order, and what was not answered may have been done much later.
    if (act === 'type' || outcome !== 'done' || offset === undefined) continue
    const service = event.split('.')[0] ?? ''
    const before = lastOffsets.get(service) ?? -1
    if (offset < before)
      problems.push(`${what} is in the log at ${offset}, before what preceded it, at ${before}`)
    lastOffsets.set(service, offset)
  }
  return problems
}

/** Typing may be lost, but must not come after what others sent long after it. */
export function checkTyping(deeds: readonly Deed[], log: readonly Known[]): string[] {
  const sent = deeds.filter(({ act, outcome }) => act === 'say' && outcome === 'done')
  const offsets = new Map(sent.map((deed) => [deed, offsetOf(deed, log)]))
  return deeds
    .filter(({ act }) => act === 'type')
    .flatMap((typing) => {
      const offset = offsetOf(typing, log)
      const isOvertaken = sent.some(
        (deed) => deed.beganAt > typing.endedAt + LATE_MS && (offsets.get(deed) ?? 0) < offset,
      )
      return isOvertaken ? [`${typing.mark} came too late, at ${offset}`] : []
    })
}

const offsetOf = (deed: Deed, log: readonly Known[]): number => entriesOf(deed, log)[0]?.offset ?? -1

/** What the log has of it. */
export function entriesOf({ act, requestIds, mark }: Deed, log: readonly Known[]): Known[] {
  return log.filter(({ entry }) => {
    if (entry.event !== EVENTS[act]) return false
    if (!requestIds.includes(entry.request_id ?? '')) return false
    return mark === null || JSON.stringify(entry.payload).includes(`"${mark}"`)
  })
}
