import {
  AppError,
  type BotDefaults,
  domainEvents,
  internal,
  type JsonFields,
  type QueueRecord,
  type RegisterStateBody,
} from '@tms/contracts'
import { type Caller, publishUnsequenced } from '@tms/service-kit'
import type { Context } from './context.ts'
import { newQueueId } from './queue-id.ts'
import { type QueueOptions, queueOptionsOf, type RegisterInput, shouldReadDefaults } from './queue-options.ts'

/** How long the owner of a partition may take to open a queue: longer than a partition takes to move. */
const OPEN_TIMEOUT_MS = 10_000
/** Interval of checking Redis for the queue, in case the owner's message was lost. */
const OPENED_CHECK_MS = 500
const CHECK_MS = 50
/** With 50,000 users, reading the state takes long. */
const STATE_TIMEOUT_MS = 30_000

/**
 * Limits concurrent registrations, because each sends several calls to other services. A registration that waited reads its log
 * position only then: the older that position is, the more of the log is read again for its queue.
 */
export const REGISTRATION_LIMIT = {
  maxAtOnce: 64,
  maxWaiting: 10_000,
  refusal: 'Too many are registering at once; try again shortly',
} as const

interface Registration {
  readonly caller: Caller
  readonly context: Context
  readonly requestId: string
  /** Whether the caller takes an answer in gzip; by default it doesn't. */
  readonly mayBeGzipped?: boolean
  onClosed(listener: () => void): void
}

/**
 * The snapshot hand-off (docs/events.md): notes the log position, reads the state with its snapshots, and publishes the opening
 * of the queue to the log. The partition's owner then gives the queue exactly the events that the snapshots don't contain.
 * Resolves when the queue can be polled. Throws BAD_REQUEST or SERVICE_UNAVAILABLE.
 */
export async function openQueue(
  input: RegisterInput,
  registration: Registration,
): Promise<{ queueId: string; lifespanSeconds: number; state: readonly JsonFields[] }> {
  const { caller, context, requestId } = registration
  let hasDisconnected = false
  registration.onClosed(() => {
    hasDisconnected = true
  })
  const options = queueOptionsOf(input, caller.role, await findBotDefaults(input, caller, context, requestId))
  await waitUntilInitialized(caller.userId, context)
  // Also before the limit: behind other registrations that wait for the log, the error would come too late.
  await readLogPosition(context)
  const { since, positions, owner, snapshots, state } = await context.limitRegistrations(async () => {
    if (hasDisconnected) throw new AppError('SERVICE_UNAVAILABLE')
    const logPosition = await readLogPosition(context)
    return { ...logPosition, ...(await readState(options, registration)) }
  })

  const queue: QueueRecord = {
    queue_id: newQueueId(caller),
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
    ...(caller.tokenId === undefined ? {} : { hides_keys: true }),
    snapshots,
  }
  const opening = context.pollRegistry.awaitOpening(queue.queue_id)
  try {
    // Nobody would poll the queue.
    if (hasDisconnected) throw new AppError('SERVICE_UNAVAILABLE')
    await publishUnsequenced(
      context.publisher,
      domainEvents.events.queueOpened,
      { queue, since, positions },
      { realmId: caller.realmId, requestId },
    ).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', { cause })
    })
    await waitUntilOpened(queue, opening.promise, context)
  } catch (err) {
    for (const text of state) text.discard()
    throw err
  } finally {
    opening.release()
  }
  return { queueId: queue.queue_id, lifespanSeconds: queue.lifespan_seconds, state }
}

/**
 * Waits until this replica has read the log up to its known end. From an earlier position, many entries would be read again that
 * the snapshots contain anyway.
 */
async function readLogPosition({
  logTail,
  now,
}: Context): Promise<{ since: number; positions: Record<string, number> }> {
  const deadline = now() + OPEN_TIMEOUT_MS
  for (;;) {
    const since = logTail.head()
    if (since !== null && since >= (logTail.end() ?? since))
      return { since, positions: { ...logTail.positions() } }
    if (now() > deadline) throw new AppError('SERVICE_UNAVAILABLE')
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
}

/** Defaults that a bot's owner has set for omitted parameters; null for other users, and if nothing was omitted. */
async function findBotDefaults(
  input: RegisterInput,
  { isBot, userId }: Caller,
  { peers }: Context,
  requestId: string,
): Promise<BotDefaults | null> {
  if (!isBot || !shouldReadDefaults(input)) return null
  return peers(internal.users.getBotDefaults, { user_id: userId }, { requestId })
}

async function readState(
  options: QueueOptions,
  { caller, context, requestId, mayBeGzipped = false }: Omit<Registration, 'onClosed'>,
): Promise<{
  owner: Pick<QueueRecord, 'role' | 'channel_role' | 'channel_ids' | 'guest_visibility'>
  snapshots: Record<string, string>
  state: readonly JsonFields[]
}> {
  const body: RegisterStateBody = {
    realm_id: caller.realmId,
    user_id: caller.userId,
    role: caller.role,
    fetch_event_types: options.fetchEventTypes,
    client_gravatar: options.clientGravatar,
    include_subscribers: options.includeSubscribers,
    slim_presence: options.slimPresence,
    presence_history_limit_days: options.presenceHistoryDays,
    client_capabilities: options.capabilities,
    may_be_deflated: mayBeGzipped,
    ...(caller.tokenId === undefined ? {} : { hides_keys: true }),
  }
  const call = { requestId, timeoutMs: STATE_TIMEOUT_MS }
  // All sources, regardless of the data that the client wants: each snapshot decides which events came before the queue.
  const [realm, users, messaging] = await allOrDiscard([
    context.peers(internal.realm.realmRegisterState, body, call),
    context.peers(internal.users.usersRegisterState, body, call),
    context.peers(internal.messaging.messagingRegisterState, body, call),
  ])
  return {
    // From the services that own the data: the caller's role may have changed since the login.
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

/** Waits for all answers. If one fails, discards the states of the others, because nobody will read them. */
async function allOrDiscard<T extends readonly Promise<{ readonly state: JsonFields }>[]>(
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
 * Waits until the partition has had an owner, on a new installation or after Redis lost everything. A partition without state
 * begins at the end of the log, so its owner would miss an opening before that.
 */
async function waitUntilInitialized(userId: number, context: Context): Promise<void> {
  const deadline = context.now() + OPEN_TIMEOUT_MS
  while (!(await context.store.isInitialized(context.partitionOf(userId)))) {
    if (context.now() > deadline) throw new AppError('SERVICE_UNAVAILABLE')
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
}

async function waitUntilOpened(queue: QueueRecord, opened: Promise<void>, context: Context): Promise<void> {
  const deadline = context.now() + OPEN_TIMEOUT_MS
  const partition = context.partitionOf(queue.user_id)
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const tick = new Promise<'tick'>((resolve) => {
      timer = setTimeout(() => resolve('tick'), OPENED_CHECK_MS)
    })
    const outcome = await Promise.race([opened, tick])
    clearTimeout(timer)
    if (outcome !== 'tick' || (await context.store.hasQueue(partition, queue.queue_id))) return
    if (context.now() > deadline) {
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'The event queue could not be opened in time' })
    }
  }
}
