import { endpoints } from '@tms/contracts'
import {
  type ApiClient,
  type ClientEvent,
  type EventQueue,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClientModel } from './support/client-model.ts'
import { newGuestWithoutChannels, setGuestVisibility } from './support/guests.ts'
import { startVisibilityWorkload, turnOfName } from './support/visibility-workload.ts'

const GUESTS = 3
const REGISTRATIONS_EACH = 30
const REGISTRATION = {
  client_gravatar: false,
  include_subscribers: true,
  client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
}

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, replicas: { events: 2, messaging: 2, users: 2 } })
}, 180_000)
afterAll(() => product.stop(), 60_000)

describe('POST /register of a guest with restricted visibility', () => {
  test('returns a state that its events complete, while the visible users change', async () => {
    // Given guests whose visible users change
    await setGuestVisibility(product, 'limited')
    const guests = await Promise.all(Array.from({ length: GUESTS }, () => newGuestWithoutChannels(product)))
    const workload = await startVisibilityWorkload(product, guests)

    // When many queues are registered amid the changes
    const queues = (await Promise.all(guests.map(registerMany))).flat()
    const last = await workload.stop()

    // Then each queue's state plus its events is the final state, with nothing doubled or missing
    const finals = new Map<ApiClient, ClientModel>()
    for (const guest of guests) {
      const { state } = await registerQueue(guest, REGISTRATION)
      finals.set(guest, new ClientModel(guest.userId, state))
    }
    const marker = await sendLast(guests)
    for (const queue of queues) {
      const model = new ClientModel(queue.client.userId, queue.state)
      await queue.until(() => queue.events.some((event) => isMessage(event, marker)), 'the last message')
      await queue.until(() => queue.events.some((event) => isGain(event, last)), 'the last gain')
      for (const event of queue.events) if (!isMessage(event, marker)) model.apply(event)

      expect(model.problems).toEqual([])
      expect(missedNamesOf(queue)).toEqual([])
      expect(model.comparable()).toEqual(finals.get(queue.client)?.comparable())
      await queue.stop()
    }
    expect(queues.flatMap(({ events }) => events).filter(isLoss).length).toBeGreaterThan(GUESTS)
  }, 300_000)
})

const registerMany = async (guest: ApiClient): Promise<EventQueue[]> => {
  const queues: EventQueue[] = []
  for (let i = 0; i < REGISTRATIONS_EACH; i++) queues.push(await registerQueue(guest, REGISTRATION))
  return queues
}

const sendLast = async (guests: readonly ApiClient[]): Promise<number> => {
  const { id } = await product.owner.call(endpoints.messaging.sendMessage, {
    type: 'direct',
    to: guests.map(({ userId }) => userId),
    content: 'the last one',
  })
  return id
}

/**
 * Returns a name that does not follow the previous one: users are renamed turn by turn, so a client whose state is older than
 * its first event misses a turn.
 */
const missedNamesOf = ({ state, events }: EventQueue): string[] => {
  const missed: string[] = []
  const turns = new Map<number, number>()
  const see = ({ user_id, full_name }: Person) => {
    const turn = turnOfName(full_name)
    if (turn !== null) turns.set(user_id, turn)
  }
  for (const person of state['realm_users'] as Person[]) see(person)
  for (const { type, op, person } of events) {
    if (type !== 'realm_user') continue
    const about = person as Person
    const [before, turn] = [turns.get(about.user_id), turnOfName(about.full_name)]
    if (op === 'remove') turns.delete(about.user_id)
    if (op === 'add') see(about)
    if (op !== 'update' || turn === null) continue
    if (before !== undefined && turn !== before + 1) missed.push(`${about.full_name} after turn ${before}`)
    see(about)
  }
  return missed
}

interface Person {
  readonly user_id: number
  readonly full_name?: string
}

const isMessage = (event: ClientEvent, id: number): boolean =>
  event.type === 'message' && (event['message'] as { id: number }).id === id
const isGain = ({ type, op, person }: ClientEvent, { userId }: ApiClient): boolean => {
  const { user_id, full_name } = (person ?? {}) as { user_id?: number; full_name?: string }
  return type === 'realm_user' && op === 'add' && user_id === userId && full_name !== 'Unknown user'
}
const isLoss = ({ type, op }: ClientEvent): boolean => type === 'realm_user' && op === 'remove'
