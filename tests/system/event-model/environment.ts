import { endpoints, Role } from '@tms/contracts'
import { ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { createChannel, newUsers, sendDirectly } from '../support/users-and-channels.ts'
import type { SettingChange } from './check-settings.ts'
import { type ChangeOfSetting, PARTICIPANTS, PRIVATE_CHANNEL } from './history.ts'
import { type LogRecords, readLogRecords } from './log-records.ts'
import {
  type NotificationReceivers,
  type NotificationServers,
  startNotificationServers,
} from './notification-receivers.ts'
import { retryUntilSuccess } from './retry-until-success.ts'
import { changeOf, LINKIFIER } from './settings.ts'

const { listSubscriptions, sendMessage, subscribe, unsubscribe } = endpoints.messaging
const { addLinkifier, updateRealm } = endpoints.realm
const { updateUser } = endpoints.users

/** The participants of histories, their system, and its log. */
export interface Environment {
  readonly product: TestSystem
  readonly log: LogRecords
  /** By number; the owner is the first. */
  readonly participants: readonly ApiClient[]
  /** A user whose role shows how far messaging has consumed projections. */
  readonly projectionProbe: ApiClient
  /** A user without channels who is deactivated now and then. */
  readonly spareUser: ApiClient
  readonly linkifierId: number
  readonly notifications: NotificationReceivers & Pick<NotificationServers, 'faults'>
  /** The same account at a gateway; numbers wrap around. */
  at(gateway: number, client: ApiClient): ApiClient
}

/** The environment of one history: its own channels, by number. */
export interface Scenario extends Environment {
  readonly channels: readonly { readonly name: string; readonly id: number }[]
  /** A message that all participants can read. */
  readonly sharedMessageId: number
  /** By user, the messages of actors that are addressed to them and that they have not opened, the latest last. */
  readonly addressed: ReadonlyMap<number, number[]>
  /** The initial settings. */
  readonly settings: readonly SettingChange[]
}

let marks = 0
let scenarios = 0

/**
 * Starts a system whose servers may be killed, with two replicas of the gateway, events and messaging, and creates the
 * participants.
 */
export async function startEnvironment(): Promise<Environment & { stop(): Promise<void> }> {
  const servers = await startNotificationServers()
  let product: TestSystem | undefined
  let log: LogRecords | undefined
  const stop = async () => {
    await log?.close()
    await product?.stop()
    await servers.stop()
  }
  try {
    product = await startTestSystem({
      env: process.env,
      ownServers: true,
      replicas: { gateway: 2, events: 2, messaging: 2 },
      serviceEnv: servers.serviceEnv,
    })
    log = await readLogRecords(product)
    return { ...(await createEnvironment(product, log, servers)), stop }
  } catch (err) {
    await stop()
    throw err
  }
}

async function createEnvironment(
  product: TestSystem,
  log: LogRecords,
  servers: NotificationServers,
): Promise<Environment> {
  const { owner, system } = product
  const [projectionProbe, spareUser, ...members] = await newUsers(product, PARTICIPANTS + 1)
  if (!projectionProbe || !spareUser) throw new Error('too few users were created')
  const { subscriptions } = await spareUser.call(listSubscriptions, {})
  await spareUser.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  const { id: linkifierId } = await owner.call(addLinkifier, LINKIFIER)
  const urls = system.urls.gateway
  const at = (gateway: number, { account }: ApiClient) =>
    new ApiClient(urls[gateway % urls.length] ?? product.baseUrl, account)
  const participants = [owner, ...members]
  const receivers = await servers.connect(product, participants)
  const notifications = { ...receivers, faults: servers.faults }
  return { product, log, participants, projectionProbe, spareUser, linkifierId, notifications, at }
}

/** Creates a history's channels with all participants, in the private one half of them; and clears the log records. */
export async function createScenario(environment: Environment): Promise<Scenario> {
  const { participants, product, log } = environment
  const { owner } = product
  const channels = [await createChannel(owner), await createChannel(owner)]
  const privateChannel = await createChannel(owner, { others: participants.slice(1, 3), isPrivate: true })
  channels[PRIVATE_CHANNEL] = privateChannel
  const principals = participants.map(({ userId }) => userId)
  const open = channels.filter((channel) => channel !== privateChannel)
  await owner.call(subscribe, { subscriptions: open.map(({ name }) => ({ name })), principals })
  const settings = await setSettings(environment)
  const sharedMessageId = await sendDirectly(owner, participants)
  await waitUntilSettled(environment)
  log.clear()
  const addressed = new Map(participants.map(({ userId }) => [userId, []]))
  return { ...environment, channels, sharedMessageId, addressed, settings }
}

/** Sets every setting that histories change, and returns that as changes before the start. */
async function setSettings(environment: Environment): Promise<SettingChange[]> {
  const { participants, product } = environment
  const mark = `scene ${++scenarios}`
  const settings: SettingChange[] = []
  const set = async (own: ApiClient, operation: ChangeOfSetting) => {
    const { endpoint, input, by = own, sets } = changeOf(operation, { own, environment, mark, isOn: false })
    await by.call(endpoint, input as never)
    settings.push({ ...sets, outcome: 'done', beganAt: 0, endedAt: 0 })
  }
  for (const act of ['link', 'restrict', 'expel'] as const) await set(product.owner, { act })
  for (const [target, client] of participants.entries()) {
    await set(client, { act: 'rename' })
    await set(client, { act: 'alert', target })
    if (client !== product.owner) await set(product.owner, { act: 'promote', target, role: Role.member })
  }
  return settings
}

/**
 * Waits until the log contains every effect of earlier actions, and returns the offset of the last entry: a direct message to
 * all participants. Messaging consumes users in order, so it has all of them once it publishes the visibility of the probe's
 * new role, which may precede users' own event.
 */
export async function waitUntilSettled({
  product,
  log,
  participants,
  projectionProbe,
}: Environment): Promise<number> {
  const mark = `settled ${++marks}`
  await retryUntilSuccess(() => product.owner.call(updateRealm, { description: mark }))
  await untilFound(log, 'realm.realm_updated.v1', `"${mark}"`)
  const role = marks % 2 === 1 ? Role.administrator : Role.member
  await retryUntilSuccess(() =>
    product.owner.call(updateUser, { user_id: projectionProbe.userId, role, full_name: mark }),
  )
  await untilFound(log, 'users.user_updated.v1', `"${mark}"`)
  await untilFound(
    log,
    'messaging.channel_visibility_changed.v1',
    `"user_id":${projectionProbe.userId},"role":${role}`,
  )
  const to = participants.map(({ userId }) => userId)
  const headers = { 'idempotency-key': mark }
  await retryUntilSuccess(() =>
    product.owner.call(sendMessage, { type: 'direct', to, content: mark }, { headers }),
  )
  return untilFound(log, 'messaging.message_sent.v1', `"${mark}"`)
}

async function untilFound(log: LogRecords, event: string, text: string): Promise<number> {
  return retryUntilSuccess(async () => {
    const found = log.records.find(
      ({ entry }) => entry.event === event && JSON.stringify(entry.payload).includes(text),
    )
    if (!found) throw new Error(`${event} is not in the log`)
    return found.offset
  })
}
