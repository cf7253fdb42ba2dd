import { randomUUID } from 'node:crypto'
import {
  AppError,
  type BotDefaults,
  domainEvents,
  internal,
  type JsonText,
  type QueueRecord,
  type RegisterStateBody,
} from '@tms/contracts'
import { type Caller, publishUnsequenced } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { needsDefaults, type QueueOptions, queueOptionsOf, type RegisterInput } from './queue-options.ts'

/** How long the owner of a partition may take to open a queue: longer than a partition takes to move. */
const OPEN_TIMEOUT_MS = 10_000
/** In case the owner's word was missed. */
const LOOK_MS = 500
const ESTABLISHED_LOOK_MS = 50
/** With 50,000 users the state takes its time. */
const STATE_TIMEOUT_MS = 30_000

/**
 * Of registrations, since a service is asked so many things at once by another. Whoever waited for their turn notes only then
 * where the log stands: the longer ago that was, the more of the log is read again for their queue.
 */
export const REGISTERING = {
  maxAtOnce: 64,
  maxWaiting: 10_000,
  refusal: 'Too many are registering at once; try again shortly',
} as const

interface Registration {
  readonly caller: Caller
  readonly context: Context
  readonly requestId: string
  onClosed(listener: () => void): void
}

/**
 * The register hand-off (docs/events.md): notes where the log stands, reads the state with its snapshots,
 * and opens the queue in the log, from where its partition's owner feeds it with exactly what the snapshots
 * don't show. Resolves when the queue can be polled. Throws BAD_REQUEST or SERVICE_UNAVAILABLE.
 */
export async function openQueue(
  input: RegisterInput,
  registration: Registration,
): Promise<{ queueId: string; lifespanSeconds: number; state: readonly JsonText[] }> {
  const { caller, context, requestId } = registration
  let hasLeft = false
  registration.onClosed(() => {
    hasLeft = true
  })
  const options = queueOptionsOf(input, caller.role, await findDefaults(input, caller, context, requestId))
  await untilEstablished(caller.userId, context)
  // Waited for before the turn as well: behind others who wait there for the log, nobody would be told in time that it is behind.
  await whereLogStands(context)
  const { since, positions, owner, snapshots, state } = await context.registering(async () => {
    if (hasLeft) throw new AppError('SERVICE_UNAVAILABLE')
    const place = await whereLogStands(context)
    return { ...place, ...(await readState(options, registration)) }
  })

  const queue: QueueRecord = {
    queue_id: randomUUID(),
    realm_id: caller.realmId,
    user_id: caller.userId,
    ...owner,
    event_types: options.eventTypes,
    narrow: options.narrow,
    all_public_streams: options.allPublicStreams,
    apply_markdown: options.applyMarkdown,
    client_gravatar: options.clientGravatar,
    slim_presence: options.slimPresence,
    include_subscribers: options.includeSubscribers,
    client_capabilities: options.capabilities,
    lifespan_seconds: options.lifespanSeconds,
    snapshots,
  }
  const opening = context.waiters.opened(queue.queue_id)
  try {
    // Nobody would poll it.
    if (hasLeft) throw new AppError('SERVICE_UNAVAILABLE')
    await publishUnsequenced(
      context.publisher,
      domainEvents.events.queueOpened,
      { queue, since, positions },
      { realmId: caller.realmId, requestId },
    ).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause })
    })
    await untilOpened(queue, opening.promise, context)
  } catch (err) {
    for (const text of state) text.discard()
    throw err
  } finally {
    opening.release()
  }
  return { queueId: queue.queue_id, lifespanSeconds: queue.lifespan_seconds, state }
}

/**
 * Not before this replica has read all that is known of the log: from further back the new queue would be fed with entries that
 * are in its snapshots anyway, as many as there are.
 */
async function whereLogStands({
  feed,
  now,
}: Context): Promise<{ since: number; positions: Record<string, number> }> {
  const deadline = now() + OPEN_TIMEOUT_MS
  for (;;) {
    const since = feed.head()
    if (since !== null && since >= (feed.end() ?? since)) return { since, positions: { ...feed.positions() } }
    if (now() > deadline) throw new AppError('SERVICE_UNAVAILABLE')
    await new Promise((resolve) => setTimeout(resolve, ESTABLISHED_LOOK_MS))
  }
}

/** What a bot's owner has set for what it leaves out here; null for people, and where nothing is left out. */
async function findDefaults(
  input: RegisterInput,
  { isBot, userId }: Caller,
  { peers }: Context,
  requestId: string,
): Promise<BotDefaults | null> {
  if (!isBot || !needsDefaults(input)) return null
  return peers(internal.users.getBotDefaults, { user_id: userId }, { requestId })
}

async function readState(
  options: QueueOptions,
  { caller, context, requestId }: Pick<Registration, 'caller' | 'context' | 'requestId'>,
): Promise<{
  owner: Pick<QueueRecord, 'role' | 'channel_role' | 'channel_ids' | 'guest_visibility'>
  snapshots: Record<string, string>
  state: readonly JsonText[]
}> {
  const body: RegisterStateBody = {
    realm_id: caller.realmId,
    user_id: caller.userId,
    role: caller.role,
    fetch_event_types: options.fetchEventTypes,
    client_gravatar: options.clientGravatar,
    include_subscribers: options.includeSubscribers,
    slim_presence: options.slimPresence,
    client_capabilities: options.capabilities,
  }
  const call = { requestId, timeoutMs: STATE_TIMEOUT_MS }
  // Every source, whatever data the client wants: its snapshot alone says which of its events came before the queue.
  const [realm, users, messaging] = await allOrDiscard([
    context.peers(internal.realm.realmRegisterState, body, call),
    context.peers(internal.users.usersRegisterState, body, call),
    context.peers(internal.messaging.messagingRegisterState, body, call),
  ])
  return {
    // What the owners of the state know: who signed in a while ago may have another role by now.
    owner: {
      role: users.role,
      channel_role: messaging.role,
      channel_ids: messaging.channel_ids,
      guest_visibility: users.guest_visibility,
    },
    snapshots: { realm: realm.snapshot, users: users.snapshot, messaging: messaging.snapshot },
    state: [realm.state, users.state, messaging.state],
  }
}

/** All of them; of those that come although one is refused, nobody would read the state. */
async function allOrDiscard<T extends readonly Promise<{ readonly state: JsonText }>[]>(
  answers: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(answers)
  } catch (err) {
    for (const answer of answers)
      answer.then(
        ({ state }) => state.discard(),
        () => {},
      )
    throw err
  }
}

/**
 * A partition without a state begins at the end of the log, and an opening that stands before that would go
 * unseen: on a new installation, or when Redis has lost everything, its first owner is waited for.
 */
async function untilEstablished(userId: number, context: Context): Promise<void> {
  const deadline = context.now() + OPEN_TIMEOUT_MS
  while (!(await context.store.isEstablished(context.partitionOf(userId)))) {
    if (context.now() > deadline) throw new AppError('SERVICE_UNAVAILABLE')
    await new Promise((resolve) => setTimeout(resolve, ESTABLISHED_LOOK_MS))
  }
}

async function untilOpened(queue: QueueRecord, opened: Promise<void>, context: Context): Promise<void> {
  const deadline = context.now() + OPEN_TIMEOUT_MS
  const partition = context.partitionOf(queue.user_id)
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const tick = new Promise<'tick'>((resolve) => {
      timer = setTimeout(() => resolve('tick'), LOOK_MS)
    })
    const outcome = await Promise.race([opened, tick])
    clearTimeout(timer)
    if (outcome !== 'tick' || (await context.store.exists(partition, queue.queue_id))) return
    if (context.now() > deadline) {
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'The event queue could not be opened in time' })
    }
  }
}
