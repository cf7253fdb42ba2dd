import fc from 'fast-check'

/** The number of participants: the organization's owner, who is number 0, and members. */
export const PARTICIPANTS = 5
/** Two public channels and a private one, by number. */
export const CHANNELS = 3
/** The number of the private channel. */
export const PRIVATE_CHANNEL = 2

/** An action of a user. Messages are the actor's own, counted from the latest; users and channels are numbers. */
export type Operation = { readonly pauseMs: number } & (
  | /** Sends to a topic, and mentions a user if `mention` isn't null. */ {
      readonly act: 'say'
      readonly channel: number
      readonly topic: number
      readonly mention: number | null
    }
  | { readonly act: 'whisper'; readonly to: readonly number[] }
  | /** Sends a user a word that may be an alert word. */ { readonly act: 'ring'; readonly target: number }
  | /** Reads the latest message that is addressed to the actor. */ { readonly act: 'open' }
  | { readonly act: 'edit' | 'delete' | 'react'; readonly message: number }
  | { readonly act: 'flag'; readonly message: number; readonly flag: 'read' | 'starred' }
  | { readonly act: 'move'; readonly message: number; readonly channel: number; readonly topic: number }
  | { readonly act: 'join' | 'leave'; readonly channel: number }
  | { readonly act: 'fetch' | 'dismiss'; readonly target: number; readonly channel: number }
  | { readonly act: 'type'; readonly channel: number }
  | ChangeOfSetting
  | UseOfSetting
)

/** A change in users or realm: a name, the linkifier, read receipts, the spare account, an alert word, a role. */
export type ChangeOfSetting =
  | { readonly act: 'rename' | 'link' | 'restrict' | 'expel' }
  | { readonly act: 'alert'; readonly target: number }
  | { readonly act: 'promote'; readonly target: number; readonly role: 200 | 300 | 400 }

/** A request whose response shows such settings: all names and the linkifier, or one of the others. */
export type UseOfSetting =
  | { readonly act: 'render' | 'review' | 'enter' }
  | { readonly act: 'administer'; readonly target: number }

/** One poll, or a pause: where it is sent, and how the client uses it. */
export type PollStep = {
  /** An events replica, or the gateway, which selects one. */
  readonly via: 'gateway' | 0 | 1
} & (
  | /** Waits for this time, and acknowledges the received events. */ {
      readonly way: 'wait'
      readonly patienceMs: number
    }
  | /** Disconnects so early that a response may be on its way. */ {
      readonly way: 'abandon'
      readonly patienceMs: number
    }
  | /** Streams for this time, acknowledges a part meanwhile, and then the received events. */ {
      readonly way: 'stream'
      readonly patienceMs: number
    }
  | /** Sends the same poll twice, sequentially. */ { readonly way: 'repeat' }
  | /** Sends the same poll twice at once. */ { readonly way: 'twice' }
  | /** Acknowledges the first half only. */ { readonly way: 'half' }
  | /** Requests events that it acknowledged long ago. */ { readonly way: 'stale' }
  | /** Does not poll. */ { readonly way: 'nap'; readonly patienceMs: number }
)

/** A client: its user, its scope, and the faults at which it starts and leaves. */
export interface ClientPlan {
  readonly who: number
  readonly scope: 'everything' | 'messages' | 'public messages'
  readonly startsAtFault: number
  readonly leavesAtFault: number | null
  readonly pollSteps: readonly PollStep[]
}

/** The faults of a part of the system. `lose` also drops the last moments of Redis' append-only file. */
export const FAULT_KINDS = [
  { target: 'events', how: 'kill' },
  { target: 'events', how: 'pause' },
  { target: 'events', how: 'end' },
  { target: 'messaging', how: 'kill' },
  { target: 'messaging', how: 'pause' },
  { target: 'messaging', how: 'end' },
  { target: 'users', how: 'kill' },
  { target: 'users', how: 'pause' },
  { target: 'realm', how: 'kill' },
  { target: 'realm', how: 'pause' },
  { target: 'gateway', how: 'kill' },
  { target: 'gateway', how: 'pause' },
  { target: 'redis', how: 'end' },
  { target: 'redis', how: 'kill' },
  { target: 'redis', how: 'lose' },
  { target: 'redis', how: 'pause' },
  { target: 'rabbitmq', how: 'end' },
  { target: 'rabbitmq', how: 'kill' },
  { target: 'postgres', how: 'end' },
  { target: 'postgres', how: 'kill' },
  { target: 'leases', how: 'lose' },
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/** A fault, with its delay after the start (if they overlap) or end of the previous one, and its duration. */
export interface Fault {
  readonly kind: FaultKind
  readonly replica: 0 | 1
  readonly afterMs: number
  readonly lastsMs: number
  readonly overlaps: boolean
}

/** The actions, the clients, and the faults meanwhile. Scripts are repeated until all faults are over. */
export interface History {
  /** By actor. */
  readonly scripts: readonly (readonly Operation[])[]
  readonly clients: readonly ClientPlan[]
  readonly faults: readonly Fault[]
}

export interface HistorySize {
  readonly clients: number
  readonly faults: number
}

/** Histories with at most this number of clients, and about this number of faults. */
export function histories({ clients, faults }: HistorySize): fc.Arbitrary<History> {
  return fc.record({
    scripts: fc.tuple(
      script(fc.oneof({ arbitrary: ofAnyone, weight: 6 }, { arbitrary: ofOwner, weight: 2 }), changesOfOwner),
      ...Array.from({ length: PARTICIPANTS - 1 }, () => script(ofAnyone)),
    ),
    clients: fc.array(client(faults), { minLength: Math.ceil(clients / 2), maxLength: clients }),
    faults: fc
      .shuffledSubarray([...FAULT_KINDS], {
        minLength: Math.min(faults, FAULT_KINDS.length - 1),
        maxLength: faults,
      })
      .chain((kinds) => fc.tuple(...kinds.map(fault))),
  })
}

const actor = fc.nat(PARTICIPANTS - 1)
const message = fc.nat(3)
const channel = fc.nat(CHANNELS - 1)
const publicChannel = fc.nat(PRIVATE_CHANNEL - 1)
const topic = fc.nat(2)
const target = fc.integer({ min: 1, max: PARTICIPANTS - 1 })
const role = fc.constantFrom(200, 300, 400)
const pauseMs = fc.nat(60)

const act = <const A extends string, T>(name: A, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ act: fc.constant(name), pauseMs, ...fields }) as unknown as fc.Arbitrary<Operation>

const say = act('say', { channel, topic, mention: fc.option(actor, { freq: 3 }) })
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: say, weight: 6 },
  { arbitrary: act('whisper', { to: fc.uniqueArray(actor, { minLength: 1, maxLength: 3 }) }), weight: 3 },
  { arbitrary: act('open', {}), weight: 2 },
  { arbitrary: act('edit', { message }), weight: 2 },
  { arbitrary: act('delete', { message }), weight: 1 },
  { arbitrary: act('react', { message }), weight: 2 },
  { arbitrary: act('flag', { message, flag: fc.constantFrom('read', 'starred') }), weight: 2 },
  { arbitrary: act('move', { message, channel: publicChannel, topic }), weight: 1 },
  { arbitrary: act('join', { channel: publicChannel }), weight: 2 },
  { arbitrary: act('leave', { channel }), weight: 2 },
  { arbitrary: act('type', { channel: publicChannel }), weight: 2 },
  { arbitrary: act('render', {}), weight: 2 },
  { arbitrary: act('review', {}), weight: 1 },
  { arbitrary: act('enter', {}), weight: 1 },
  { arbitrary: act('ring', { target: actor }), weight: 1 },
  { arbitrary: act('administer', { target }), weight: 1 },
)

type Operations = fc.Arbitrary<readonly Operation[]>
const alone = (one: fc.Arbitrary<Operation>): Operations => one.map((done) => [done])
const atOnce = { pauseMs: fc.constant(0) }

// Changes that are used in the next action.
const renamed = fc.tuple(act('rename', atOnce), act('render', {}))
const linked = fc.tuple(act('link', atOnce), act('render', {}))
const restricted = fc.tuple(act('restrict', atOnce), act('review', {}))
const expelled = fc.tuple(act('expel', atOnce), act('enter', {}))
const alerted = actor
  .map(fc.constant)
  .chain((same) => fc.tuple(act('alert', { target: same, ...atOnce }), act('ring', { target: same })))
const promoted = target
  .map(fc.constant)
  .chain((same) =>
    fc.tuple(act('promote', { target: same, role, ...atOnce }), act('administer', { target: same })),
  )

const ofAnyone: Operations = fc.oneof(
  { arbitrary: alone(operation), weight: 30 },
  { arbitrary: renamed, weight: 1 },
  { arbitrary: alerted, weight: 2 },
)
const ofOwner: Operations = fc.oneof(
  alone(act('fetch', { target, channel })),
  alone(act('dismiss', { target, channel })),
  promoted,
)
const changesOfOwner: Operations = fc.tuple(promoted, linked, restricted, expelled).map((all) => all.flat())

/** Each starts with a message, so that there is one to change. */
const script = (some: Operations, last: Operations = fc.constant([])) =>
  fc
    .tuple(say, fc.array(some, { minLength: 6, maxLength: 14 }), last)
    .map(([first, rest, end]) => [first, ...rest.flat(), ...end])

const via = fc.constantFrom('gateway', 'gateway', 0, 1)
const pollStep = <const W extends string, T>(way: W, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ way: fc.constant(way), via, ...fields }) as unknown as fc.Arbitrary<PollStep>
const pollSteps = fc.array(
  fc.oneof(
    { arbitrary: pollStep('wait', { patienceMs: fc.integer({ min: 50, max: 6_000 }) }), weight: 6 },
    { arbitrary: pollStep('abandon', { patienceMs: fc.integer({ min: 1, max: 30 }) }), weight: 2 },
    { arbitrary: pollStep('stream', { patienceMs: fc.integer({ min: 5, max: 8_000 }) }), weight: 5 },
    { arbitrary: pollStep('repeat', {}), weight: 2 },
    { arbitrary: pollStep('twice', {}), weight: 2 },
    { arbitrary: pollStep('half', {}), weight: 2 },
    { arbitrary: pollStep('stale', {}), weight: 1 },
    { arbitrary: pollStep('nap', { patienceMs: fc.integer({ min: 50, max: 2_000 }) }), weight: 1 },
  ),
  { minLength: 3, maxLength: 9 },
)

const client = (faults: number): fc.Arbitrary<ClientPlan> =>
  fc.record({
    who: actor,
    scope: fc.constantFrom('everything', 'everything', 'everything', 'messages', 'public messages'),
    // Half of them start at the beginning.
    startsAtFault: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: faults })),
    leavesAtFault: fc.oneof(
      { arbitrary: fc.constant(null), weight: 5 },
      { arbitrary: fc.integer({ min: 1, max: faults }), weight: 1 },
    ),
    pollSteps,
  })

/** Longer than the lease of a partition or of a relay, so that a paused replica resumes as one without ownership. */
const PAUSES_MS = { min: 2_300, max: 4_000 }

const fault = (kind: FaultKind): fc.Arbitrary<Fault> =>
  fc.record({
    kind: fc.constant(kind),
    replica: fc.constantFrom(0, 1),
    afterMs: fc.integer({ min: 100, max: 1_200 }),
    lastsMs: fc.integer(kind.how === 'pause' ? PAUSES_MS : { min: 0, max: 1_500 }),
    overlaps: fc.boolean(),
  })
