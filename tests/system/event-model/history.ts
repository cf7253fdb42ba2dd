import fc from 'fast-check'

/** Everyone who acts: the organization's owner, who is number 0, and members. */
export const CAST = 5
/** Two public channels and a private one, by number. */
export const CHANNELS = 3
/** The number of the private channel. */
export const DEN = 2

/** What someone does. Messages are the actor's own, counted from the latest; people and channels go by number. */
export type Operation = { readonly pauseMs: number } & (
  | { readonly act: 'say'; readonly channel: number; readonly topic: number }
  | { readonly act: 'whisper'; readonly to: readonly number[] }
  | /** Sends someone a word that may alert them. */ { readonly act: 'ring'; readonly whom: number }
  | { readonly act: 'edit' | 'delete' | 'react'; readonly message: number }
  | { readonly act: 'flag'; readonly message: number; readonly flag: 'read' | 'starred' }
  | { readonly act: 'move'; readonly message: number; readonly channel: number; readonly topic: number }
  | { readonly act: 'join' | 'leave'; readonly channel: number }
  | { readonly act: 'fetch' | 'dismiss'; readonly whom: number; readonly channel: number }
  | { readonly act: 'type'; readonly channel: number }
  | ChangeOfSetting
  | UseOfSetting
)

/** A change in users or realm: of a name, the linkifier, read receipts, the spare account, an alert word, a role. */
export type ChangeOfSetting =
  | { readonly act: 'rename' | 'link' | 'restrict' | 'expel' }
  | { readonly act: 'alert'; readonly whom: number }
  | { readonly act: 'promote'; readonly whom: number; readonly role: 200 | 300 | 400 }

/** A request whose answer shows such settings: all names and the linkifier, or one of the others. */
export type UseOfSetting =
  | { readonly act: 'render' | 'review' | 'enter' }
  | { readonly act: 'administer'; readonly whom: number }

/** One poll, or a time without: where it is sent, and what the client makes of it. */
export type Habit = {
  /** An events replica, or the gateway, which chooses. */
  readonly via: 'gateway' | 0 | 1
} & (
  | /** Waits so long, and acknowledges what came. */ { readonly way: 'wait'; readonly patienceMs: number }
  | /** Goes away so soon that an answer may be on its way. */ {
      readonly way: 'abandon'
      readonly patienceMs: number
    }
  | /** Asks twice for the same, one after the other. */ { readonly way: 'repeat' }
  | /** Asks twice at once. */ { readonly way: 'twice' }
  | /** Acknowledges the first half only. */ { readonly way: 'half' }
  | /** Asks again for what it has acknowledged long ago. */ { readonly way: 'stale' }
  | /** Doesn't ask at all. */ { readonly way: 'nap'; readonly patienceMs: number }
)

/** A client: whose it is, what it wants, from which fault on it is there, and until which, if it leaves. */
export interface ClientPlan {
  readonly who: number
  readonly wants: 'everything' | 'messages' | 'public messages'
  readonly comesAt: number
  readonly leavesAt: number | null
  readonly habits: readonly Habit[]
}

/** What may befall a part of the system. `lose` takes the last moments of Redis' append-only file along. */
export const BLOWS = [
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
export type Blow = (typeof BLOWS)[number]

/** A blow, so long after the one before has begun (where they overlap) or is over, and how long it lasts. */
export interface Fault {
  readonly blow: Blow
  readonly replica: 0 | 1
  readonly afterMs: number
  readonly lastsMs: number
  readonly overlaps: boolean
}

/** What is done, who listens, and what breaks meanwhile. Scripts are repeated until all faults are over. */
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

/** Histories with up to so many clients, and about so many faults. */
export function histories({ clients, faults }: HistorySize): fc.Arbitrary<History> {
  return fc.record({
    scripts: fc.tuple(
      script(fc.oneof({ arbitrary: ofAnyone, weight: 6 }, { arbitrary: ofOwner, weight: 2 }), changesOfOwner),
      ...Array.from({ length: CAST - 1 }, () => script(ofAnyone)),
    ),
    clients: fc.array(client(faults), { minLength: Math.ceil(clients / 2), maxLength: clients }),
    faults: fc
      .shuffledSubarray([...BLOWS], { minLength: Math.min(faults, BLOWS.length - 1), maxLength: faults })
      .chain((blows) => fc.tuple(...blows.map(fault))),
  })
}

const actor = fc.nat(CAST - 1)
const message = fc.nat(3)
const channel = fc.nat(CHANNELS - 1)
const publicChannel = fc.nat(DEN - 1)
const topic = fc.nat(2)
const whom = fc.integer({ min: 1, max: CAST - 1 })
const role = fc.constantFrom(200, 300, 400)
const pauseMs = fc.nat(60)

const act = <const A extends string, T>(name: A, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ act: fc.constant(name), pauseMs, ...fields }) as unknown as fc.Arbitrary<Operation>

const say = act('say', { channel, topic })
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { arbitrary: say, weight: 6 },
  { arbitrary: act('whisper', { to: fc.uniqueArray(actor, { minLength: 1, maxLength: 3 }) }), weight: 3 },
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
  { arbitrary: act('ring', { whom: actor }), weight: 1 },
  { arbitrary: act('administer', { whom }), weight: 1 },
)

type Operations = fc.Arbitrary<readonly Operation[]>
const alone = (one: fc.Arbitrary<Operation>): Operations => one.map((done) => [done])
const atOnce = { pauseMs: fc.constant(0) }

// Changes that are used in the next line.
const renamed = fc.tuple(act('rename', atOnce), act('render', {}))
const linked = fc.tuple(act('link', atOnce), act('render', {}))
const restricted = fc.tuple(act('restrict', atOnce), act('review', {}))
const expelled = fc.tuple(act('expel', atOnce), act('enter', {}))
const alerted = actor
  .map(fc.constant)
  .chain((same) => fc.tuple(act('alert', { whom: same, ...atOnce }), act('ring', { whom: same })))
const promoted = whom
  .map(fc.constant)
  .chain((same) =>
    fc.tuple(act('promote', { whom: same, role, ...atOnce }), act('administer', { whom: same })),
  )

const ofAnyone: Operations = fc.oneof(
  { arbitrary: alone(operation), weight: 30 },
  { arbitrary: renamed, weight: 1 },
  { arbitrary: alerted, weight: 2 },
)
const ofOwner: Operations = fc.oneof(
  alone(act('fetch', { whom, channel })),
  alone(act('dismiss', { whom, channel })),
  promoted,
)
const changesOfOwner: Operations = fc.tuple(promoted, linked, restricted, expelled).map((all) => all.flat())

/** Each begins with a message, so that there is one to change. */
const script = (some: Operations, last: Operations = fc.constant([])) =>
  fc
    .tuple(say, fc.array(some, { minLength: 6, maxLength: 14 }), last)
    .map(([first, rest, end]) => [first, ...rest.flat(), ...end])

const via = fc.constantFrom('gateway', 'gateway', 0, 1)
const habit = <const W extends string, T>(way: W, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ way: fc.constant(way), via, ...fields }) as unknown as fc.Arbitrary<Habit>
const habits = fc.array(
  fc.oneof(
    { arbitrary: habit('wait', { patienceMs: fc.integer({ min: 50, max: 6_000 }) }), weight: 6 },
    { arbitrary: habit('abandon', { patienceMs: fc.integer({ min: 1, max: 30 }) }), weight: 2 },
    { arbitrary: habit('repeat', {}), weight: 2 },
    { arbitrary: habit('twice', {}), weight: 2 },
    { arbitrary: habit('half', {}), weight: 2 },
    { arbitrary: habit('stale', {}), weight: 1 },
    { arbitrary: habit('nap', { patienceMs: fc.integer({ min: 50, max: 2_000 }) }), weight: 1 },
  ),
  { minLength: 3, maxLength: 9 },
)

const client = (faults: number): fc.Arbitrary<ClientPlan> =>
  fc.record({
    who: actor,
    wants: fc.constantFrom('everything', 'everything', 'everything', 'messages', 'public messages'),
    // Half of them are there from the beginning.
    comesAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: faults })),
    leavesAt: fc.oneof(
      { arbitrary: fc.constant(null), weight: 5 },
      { arbitrary: fc.integer({ min: 1, max: faults }), weight: 1 },
    ),
    habits,
  })

/** Longer than the lease of a partition, or of a relay, so that who was paused wakes up as one who owns nothing. */
const PAUSES_MS = { min: 2_300, max: 4_000 }

const fault = (blow: Blow): fc.Arbitrary<Fault> =>
  fc.record({
    blow: fc.constant(blow),
    replica: fc.constantFrom(0, 1),
    afterMs: fc.integer({ min: 100, max: 1_200 }),
    lastsMs: fc.integer(blow.how === 'pause' ? PAUSES_MS : { min: 0, max: 1_500 }),
    overlaps: fc.boolean(),
  })
