// The load of clients while a trial replaces everything: they follow event queues, send, edit, react, upload, read, sign in,
// and make channels and groups. Requests are never retried, and each that doesn't succeed is a failure.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, PICTURE } from '../support/client.ts'
import { until } from '../support/programs.ts'
import { expect } from '../support/steps.ts'
import { type Actions, CHANNEL, checkFollower, type Event, type Follower, recordEvent } from './follower.ts'
import { type MonitoredClient, monitorClient } from './monitored-client.ts'
import { organize } from './organizer.ts'
import type { Person } from './people.ts'

const EVENT_TYPES = JSON.stringify(['message', 'update_message', 'reaction'])
const TOPIC = 'upgrading'
/** Pause of each sender between two actions. */
const PAUSE_MS = 700
const SIGN_IN_PAUSE_MS = 3_000
const REGISTER_PAUSE_MS = 1_500
const ORGANIZE_PAUSE_MS = 1_500
/** How long to wait for events that come too late or twice. */
const SETTLE_MS = 2_000
const MAX_PRINTED = 30

interface LoadOptions {
  people: readonly Person[]
  /** Followers of each from now on to the end. */
  queuesEach: number
  /** How many of the people send. */
  senders: number
}

export interface Load extends Pick<MonitoredClient, 'counts' | 'failures'> {
  /** Begins a phase, with a further follower for some of the people. */
  enter: (phase: string) => Promise<void>
  /** Ends the load without a check. */
  end: () => void
  /** Ends the load, and throws if a request failed or a follower received wrong events. */
  verify: () => Promise<void>
}

export async function startLoad(
  client: Pick<Client, 'send'>,
  { people, queuesEach, senders }: LoadOptions,
): Promise<Load> {
  const state = { phase: 'before', isSending: true, isOver: false }
  const actions: Actions = { accepted: new Set(), unconfirmed: { keys: new Set(), messages: 0 } }
  const monitored = monitorClient(client, () => (state.isOver ? null : state.phase))
  const followers: Follower[] = []
  const follow = async (person: Person) => {
    const follower = await startFollower(monitored, person, state)
    if (follower) followers.push(follower)
  }
  const repeat = async (pauseMs: number, work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; state.isSending; turn++) {
      await work(turn)
      await sleep(pauseMs)
    }
  }

  for (const person of people) {
    for (let count = 0; count < queuesEach; count++) await follow(person)
  }
  const [signing, registering, member] = people
  const work = [
    ...people
      .slice(0, senders)
      .map((person) => repeat(PAUSE_MS, (turn) => act(monitored, actions, person, turn))),
    ...(signing ? [repeat(SIGN_IN_PAUSE_MS, () => signIn(monitored, signing))] : []),
    ...(registering ? [repeat(REGISTER_PAUSE_MS, () => registerAndLeave(monitored, registering))] : []),
    ...(signing && member
      ? [
          repeat(ORGANIZE_PAUSE_MS, (turn) =>
            organize(monitored, { organizer: signing, member, name: `trial-${turn}` }),
          ),
        ]
      : []),
  ]
  const listProblems = () => followers.flatMap((follower) => checkFollower(follower, actions))

  return {
    counts: monitored.counts,
    failures: monitored.failures,
    enter: async (phase) => {
      state.phase = phase
      for (const person of people.slice(0, 3)) await follow(person)
    },
    end: () => {
      Object.assign(state, { isSending: false, isOver: true })
    },
    verify: async () => {
      Object.assign(state, { phase: 'the end', isSending: false })
      await Promise.all(work)
      await until(() => listProblems().length === 0, 'followers').catch(() => {})
      await sleep(SETTLE_MS)
      state.isOver = true
      report(monitored, actions, followers, listProblems())
    },
  }
}

/** Registers a queue and follows it until the end. Returns null if that fails. */
async function startFollower(
  { call, fail }: MonitoredClient,
  { auth }: Person,
  state: { readonly phase: string; readonly isOver: boolean },
): Promise<Follower | null> {
  const opened = await call<{ queue_id: string; max_message_id: number; last_event_id: number }>(
    ...(['POST', '/register', { auth, form: { event_types: EVENT_TYPES } }] as const),
  )
  if (!opened) return null
  const follower: Follower = {
    ...{ since: state.phase, received: [], errors: [] },
    firstId: opened.max_message_id,
    lastEventId: opened.last_event_id,
  }
  const run = async () => {
    while (!state.isOver) {
      const query = `queue_id=${opened.queue_id}&last_event_id=${follower.lastEventId}`
      const answer = await call<{ events: Event[] }>('GET', `/events?${query}`, { auth })
      if (!answer) await sleep(PAUSE_MS)
      for (const event of answer?.events ?? []) recordEvent(follower, event)
    }
  }
  run().catch((err: unknown) => fail(`a follower ended: ${err}`))
  return follower
}

/** Sends a message, and does something with it in some turns. */
async function act(client: MonitoredClient, actions: Actions, person: Person, turn: number): Promise<void> {
  const { auth, userId } = person
  const { call } = client
  const record = (isDone: unknown, key: string) =>
    (isDone ? actions.accepted : actions.unconfirmed.keys).add(key)
  const form = { type: 'stream', to: CHANNEL, topic: TOPIC, content: `number ${turn} of ${userId}` }
  const sent = await call<{ id: number }>('POST', '/messages', { auth, form })
  if (!sent) {
    actions.unconfirmed.messages += 1
    return
  }
  actions.accepted.add(`message ${sent.id}`)
  if (turn % 3 === 0) {
    const content = `edited in turn ${turn}`
    const isDone = await call('PATCH', `/messages/${sent.id}`, { auth, form: { content } })
    record(isDone, `edit ${sent.id} ${content}`)
  }
  if (turn % 4 === 0) {
    const reaction = { auth, form: { emoji_name: 'octopus' } }
    record(await call('POST', `/messages/${sent.id}/reactions`, reaction), `reaction ${sent.id} add`)
    record(await call('DELETE', `/messages/${sent.id}/reactions`, reaction), `reaction ${sent.id} remove`)
  }
  if (turn % 5 === 0) await call('GET', '/messages?anchor=newest&num_before=20&num_after=0', { auth })
  if (turn % 8 === 0) await upload(client, person, turn)
}

async function upload(
  { call, request, fail }: MonitoredClient,
  { auth }: Person,
  turn: number,
): Promise<void> {
  const uploaded = await call<{ url: string }>('POST', '/user_uploads', { auth, file: `picture-${turn}.png` })
  if (!uploaded) return
  const file = await request('GET', uploaded.url, { auth })
  if (file && !file.equals(PICTURE)) fail('a downloaded file differs')
}

const signIn = ({ call }: MonitoredClient, { email, password }: Person) =>
  call('POST', '/fetch_api_key', { form: { username: email, password } })

async function registerAndLeave({ call }: MonitoredClient, { auth }: Person): Promise<void> {
  const opened = await call<{ queue_id: string }>('POST', '/register', { auth })
  if (opened) await call('DELETE', '/events', { auth, form: { queue_id: opened.queue_id } })
}

/** Prints what happened, and throws if anything is wrong. */
function report(
  { counts, failures }: MonitoredClient,
  { accepted }: Actions,
  followers: readonly Follower[],
  problems: readonly string[],
): void {
  const received = followers.reduce((sum, follower) => sum + follower.received.length, 0)
  console.log(
    `  ${counts.requests} requests, ${counts.polls} of them polls; the longest other took ${Math.round(counts.longestMs)} ms (${counts.longest})`,
  )
  console.log(
    `  ${accepted.size} messages, edits and reactions; ${followers.length} followers received ${received} events`,
  )
  for (const one of problems.slice(0, MAX_PRINTED)) console.log(`  ${one}`)
  expect(
    failures.length === 0 && problems.length === 0,
    `${failures.length} requests failed, ${problems.length} events are wrong`,
  )
}
