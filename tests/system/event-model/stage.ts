import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { createChannel, newUsers } from '../support/people.ts'
import { CAST, DEN } from './history.ts'
import { insist } from './insist.ts'
import { type KnownLog, knowLog } from './known-log.ts'

const { sendMessage, subscribe } = endpoints.messaging
const { updateUser } = endpoints.users

/** Who acts in histories, in which system, and the log that all of it leads to. */
export interface Stage {
  readonly product: TestSystem
  readonly log: KnownLog
  /** By number; the owner is the first. */
  readonly cast: readonly ApiClient[]
  /** Someone whose role tells how far messaging has heard of people. */
  readonly clock: ApiClient
}

/** Where a history is played: channels of its own, by number. */
export interface Scene extends Stage {
  readonly channels: readonly { readonly name: string; readonly id: number }[]
}

let marks = 0

/** Starts a system whose servers may be killed, with two replicas of events and messaging, and creates everyone who acts. */
export async function startStage(): Promise<Stage & { stop(): Promise<void> }> {
  const product = await startTestSystem({
    env: process.env,
    ownServers: true,
    replicas: { events: 2, messaging: 2 },
  })
  let log: KnownLog | undefined
  const stop = async () => {
    await log?.close()
    await product.stop()
  }
  try {
    log = await knowLog(product)
    return { ...(await setStage(product, log)), stop }
  } catch (err) {
    await stop()
    throw err
  }
}

async function setStage(product: TestSystem, log: KnownLog): Promise<Stage> {
  const [clock, ...members] = (await newUsers(product, CAST)) as [ApiClient, ...ApiClient[]]
  return { product, log, cast: [product.owner, ...members], clock }
}

/** Creates a history's channels, in which everyone is, in the den half of them; and forgets the log so far. */
export async function setScene(stage: Stage): Promise<Scene> {
  const { cast, product, log } = stage
  const { owner } = product
  const channels = [await createChannel(owner), await createChannel(owner)]
  const den = await createChannel(owner, { others: cast.slice(1, 3), isPrivate: true })
  channels[DEN] = den
  const principals = cast.map(({ userId }) => userId)
  const open = channels.filter((channel) => channel !== den)
  await owner.call(subscribe, { subscriptions: open.map(({ name }) => ({ name })), principals })
  for (const { userId } of cast.slice(1)) {
    await owner.call(updateUser, { user_id: userId, role: Role.member })
  }
  await untilSettled(stage)
  log.forget()
  return { ...stage, channels }
}

/**
 * Waits until the log has all that follows from what was done, and returns the offset of the last entry: a direct
 * message to the whole cast. Messaging hears of people in order, so it has heard of all once it tells what the clock's
 * new role sees, which may be before users tells of the role.
 */
export async function untilSettled({ product, log, cast, clock }: Stage): Promise<number> {
  const mark = `settled ${++marks}`
  const role = marks % 2 === 1 ? Role.administrator : Role.member
  await insist(() => product.owner.call(updateUser, { user_id: clock.userId, role, full_name: mark }))
  await untilFound(log, 'users.user_updated.v1', `"${mark}"`)
  await untilFound(log, 'messaging.sight_changed.v1', `"user_id":${clock.userId},"role":${role}`)
  const to = cast.map(({ userId }) => userId)
  const headers = { 'idempotency-key': mark }
  await insist(() => product.owner.call(sendMessage, { type: 'direct', to, content: mark }, { headers }))
  return untilFound(log, 'messaging.message_sent.v1', `"${mark}"`)
}

async function untilFound(log: KnownLog, event: string, text: string): Promise<number> {
  return insist(async () => {
    const found = log.taken.find(
      ({ entry }) => entry.event === event && JSON.stringify(entry.payload).includes(text),
    )
    if (!found) throw new Error(`${event} is not in the log`)
    return found.offset
  })
}
