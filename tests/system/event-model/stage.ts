import { endpoints, Role } from '@tms/contracts'
import { ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { createChannel, newUsers, whisper } from '../support/people.ts'
import type { SettingChange } from './check-settings.ts'
import { CAST, type ChangeOfSetting, DEN } from './history.ts'
import { insist } from './insist.ts'
import { type KnownLog, knowLog } from './known-log.ts'
import { changeOf, LINKIFIER } from './settings.ts'

const { listSubscriptions, sendMessage, subscribe, unsubscribe } = endpoints.messaging
const { addLinkifier, updateRealm } = endpoints.realm
const { updateUser } = endpoints.users

/** Who acts in histories, in which system, and the log that all of it leads to. */
export interface Stage {
  readonly product: TestSystem
  readonly log: KnownLog
  /** By number; the owner is the first. */
  readonly cast: readonly ApiClient[]
  /** Someone whose role tells how far messaging has heard of people. */
  readonly clock: ApiClient
  /** Someone in no channel who is deactivated now and then. */
  readonly spare: ApiClient
  readonly linkifierId: number
  /** The same account at a gateway, of which the numbers go on from the first after the last. */
  at(gateway: number, client: ApiClient): ApiClient
}

/** Where a history is played: channels of its own, by number. */
export interface Scene extends Stage {
  readonly channels: readonly { readonly name: string; readonly id: number }[]
  /** A message that the cast may read. */
  readonly noteId: number
  /** How it begins. */
  readonly settings: readonly SettingChange[]
}

let marks = 0
let scenes = 0

/**
 * Starts a system whose servers may be killed, with two replicas of the gateway, events and messaging, and creates everyone
 * who acts.
 */
export async function startStage(): Promise<Stage & { stop(): Promise<void> }> {
  const product = await startTestSystem({
    env: process.env,
    ownServers: true,
    replicas: { gateway: 2, events: 2, messaging: 2 },
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
  const { owner, system } = product
  const [clock, spare, ...members] = await newUsers(product, CAST + 1)
  if (!clock || !spare) throw new Error('too few users were created')
  const { subscriptions } = await spare.call(listSubscriptions, {})
  await spare.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  const { id: linkifierId } = await owner.call(addLinkifier, LINKIFIER)
  const urls = system.urls.gateway
  const at = (gateway: number, { account }: ApiClient) =>
    new ApiClient(urls[gateway % urls.length] ?? product.baseUrl, account)
  return { product, log, cast: [owner, ...members], clock, spare, linkifierId, at }
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
  const settings = await setSettings(stage)
  const noteId = await whisper(owner, cast)
  await untilSettled(stage)
  log.forget()
  return { ...stage, channels, noteId, settings }
}

/** Sets all that histories change, and returns it as what was done before they begin. */
async function setSettings(stage: Stage): Promise<SettingChange[]> {
  const { cast, product } = stage
  const mark = `scene ${++scenes}`
  const settings: SettingChange[] = []
  const set = async (own: ApiClient, operation: ChangeOfSetting) => {
    const { endpoint, input, by = own, sets } = changeOf(operation, { own, stage, mark, isOn: false })
    await by.call(endpoint, input as never)
    settings.push({ ...sets, outcome: 'done', beganAt: 0, endedAt: 0 })
  }
  for (const act of ['link', 'restrict', 'expel'] as const) await set(product.owner, { act })
  for (const [whom, client] of cast.entries()) {
    await set(client, { act: 'rename' })
    await set(client, { act: 'alert', whom })
    if (client !== product.owner) await set(product.owner, { act: 'promote', whom, role: Role.member })
  }
  return settings
}

/**
 * Waits until the log has all that follows from what was done, and returns the offset of the last entry: a direct
 * message to the whole cast. Messaging hears of people in order, so it has heard of all once it tells what the clock's
 * new role sees, which may be before users tells of the role.
 */
export async function untilSettled({ product, log, cast, clock }: Stage): Promise<number> {
  const mark = `settled ${++marks}`
  await insist(() => product.owner.call(updateRealm, { description: mark }))
  await untilFound(log, 'realm.realm_updated.v1', `"${mark}"`)
  const role = marks % 2 === 1 ? Role.administrator : Role.member
  await insist(() => product.owner.call(updateUser, { user_id: clock.userId, role, full_name: mark }))
  await untilFound(log, 'users.user_updated.v1', `"${mark}"`)
  await untilFound(log, 'messaging.channel_visibility_changed.v1', `"user_id":${clock.userId},"role":${role}`)
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
