// The load of clients while try-upgrade.mjs or try-kubernetes.mjs replaces everything: they follow event queues, send, edit, react,
// upload, read and sign in. Requests are never retried, and each that doesn't succeed is a failure.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, until } from './trial.mjs'
import { PICTURE } from './trial-client.mjs'
import { getErrorMessage } from './trial-steps.mjs'

const EVENT_TYPES = JSON.stringify(['message', 'update_message', 'reaction'])
const CHANNEL = 'general'
const TOPIC = 'upgrading'
/** Pause of each sender between two actions. */
const PAUSE_MS = 700
const SIGN_IN_PAUSE_MS = 3_000
const REGISTER_PAUSE_MS = 1_500
/** How many failures are printed. */
const MAX_PRINTED = 30
/** How long to wait for events that come too late or twice. */
const SETTLE_MS = 2_000

/** Creates an organization, unless it exists, and users, and signs them in. */
export async function createPeople({ manage, call }, count, organization = 'sales') {
  const { owner } = manage(
    'create-organization',
    organization,
    '--name',
    'Sales',
    '--owner-email',
    'boss@example.com',
  )
  const signIn = async ({ email, password }) => {
    const { api_key, user_id } = await call('POST', '/fetch_api_key', { form: { username: email, password } })
    const auth = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
    return { email, password, userId: user_id, auth }
  }
  const people = [await signIn(owner)]
  while (people.length < count) {
    const someone = { email: `person${people.length}@example.com`, password: 'a long password of a trial' }
    const form = { ...someone, full_name: `Person ${people.length}` }
    await call('POST', '/users', { auth: people[0].auth, form })
    people.push(await signIn(someone))
  }
  return people
}

/**
 * Starts the load. `people` have `auth`, `email` and `password`; each has `queuesEach` followers from now on to the end, and the
 * first `senders` send.
 */
export async function startLoad(trial, { people, queuesEach, senders }) {
  const counts = { requests: 0, polls: 0, received: 0, longestMs: 0, longest: '' }
  const failures = []
  /** Keys of the accepted actions: followers must receive each once. */
  const accepted = new Set()
  /** Failed actions, which may have taken effect all the same: followers may receive them. */
  const unconfirmed = { keys: new Set(), messages: 0 }
  const followers = []
  let phase = 'before'
  let isSending = true
  let isOver = false

  /** Records a failure. Prints the first ones at once: the replica being replaced then is usually the reason. */
  const fail = (what) => {
    if (isOver) return
    failures.push(`${new Date().toISOString().slice(11, 23)} ${phase}: ${what}`)
    if (failures.length <= MAX_PRINTED) console.log(`  ${failures.at(-1)}`)
  }
  /** Sends a request; returns the answer, or null for a failure, which is recorded. */
  const ask = async (method, path, options) => {
    const startedAt = performance.now()
    counts.requests += 1
    const note = (what) => fail(`${method} ${path} ${what}`)
    try {
      const { status, body } = await trial.send(method, path, options)
      const ms = performance.now() - startedAt
      if (path.startsWith('/api/v1/events')) counts.polls += 1
      else if (ms > counts.longestMs) Object.assign(counts, { longestMs: ms, longest: `${method} ${path}` })
      if (status === 200) return body
      note(`answered ${status}: ${body.toString().slice(0, 200)}`)
    } catch (err) {
      note(getErrorMessage(err))
    }
    return null
  }
  const call = async (method, path, options) => {
    const body = await ask(method, `/api/v1${path}`, options)
    return body && JSON.parse(body.toString())
  }

  const follow = async ({ auth }, since) => {
    const opened = await call('POST', '/register', { auth, form: { event_types: EVENT_TYPES } })
    if (!opened) return
    const follower = {
      since,
      firstId: opened.max_message_id,
      received: [],
      errors: [],
      lastEventId: opened.last_event_id,
    }
    followers.push(follower)
    follower.ended = (async () => {
      while (!isOver) {
        const query = `queue_id=${opened.queue_id}&last_event_id=${follower.lastEventId}`
        const answer = await call('GET', `/events?${query}`, { auth })
        if (!answer) await sleep(PAUSE_MS)
        for (const event of answer?.events ?? []) recordEvent(follower, event)
      }
    })()
  }
  const recordEvent = (follower, event) => {
    if (event.id <= follower.lastEventId)
      follower.errors.push(`event ${event.id} after ${follower.lastEventId}`)
    follower.lastEventId = event.id
    const key = keyOf(event)
    if (!key) return
    counts.received += 1
    follower.received.push(key)
  }

  const repeat = async (pauseMs, work) => {
    for (let turn = 0; isSending; turn++) {
      await work(turn)
      await sleep(pauseMs)
    }
  }
  const recordOutcome = (isDone, key) => (isDone ? accepted : unconfirmed.keys).add(key)
  const send = async ({ auth, userId }, turn) => {
    const form = { type: 'stream', to: CHANNEL, topic: TOPIC, content: `number ${turn} of ${userId}` }
    const sent = await call('POST', '/messages', { auth, form })
    if (!sent) {
      unconfirmed.messages += 1
      return
    }
    accepted.add(`message ${sent.id}`)
    if (turn % 3 === 0) {
      const content = `edited in turn ${turn}`
      const isDone = await call('PATCH', `/messages/${sent.id}`, { auth, form: { content } })
      recordOutcome(isDone, `edit ${sent.id} ${content}`)
    }
    if (turn % 4 === 0) {
      for (const [method, op] of [
        ['POST', 'add'],
        ['DELETE', 'remove'],
      ]) {
        const form = { emoji_name: 'octopus' }
        const isDone = await call(method, `/messages/${sent.id}/reactions`, { auth, form })
        recordOutcome(isDone, `reaction ${sent.id} ${op}`)
      }
    }
    if (turn % 5 === 0) await call('GET', '/messages?anchor=newest&num_before=20&num_after=0', { auth })
    if (turn % 8 === 0) {
      const uploaded = await call('POST', '/user_uploads', { auth, file: `picture-${turn}.png` })
      if (!uploaded) return
      const file = await ask('GET', uploaded.uri ?? uploaded.url, { auth })
      if (file && !file.equals(PICTURE)) fail('a downloaded file differs')
    }
  }

  for (const person of people) {
    for (let count = 0; count < queuesEach; count++) await follow(person, phase)
  }
  const [signing, registering] = people
  const work = [
    ...people.slice(0, senders).map((person) => repeat(PAUSE_MS, (turn) => send(person, turn))),
    repeat(SIGN_IN_PAUSE_MS, () =>
      call('POST', '/fetch_api_key', { form: { username: signing.email, password: signing.password } }),
    ),
    repeat(REGISTER_PAUSE_MS, async () => {
      const { auth } = registering
      const opened = await call('POST', '/register', { auth })
      if (opened) await call('DELETE', '/events', { auth, form: { queue_id: opened.queue_id } })
    }),
  ]

  return {
    /** Begins a phase, with a further follower for some of the people. */
    enter: async (name) => {
      phase = name
      for (const person of people.slice(0, 3)) await follow(person, name)
    },
    failures,
    counts,
    /** Ends the load without a check. */
    end: () => {
      isSending = false
      isOver = true
    },
    /** Ends the load, waits for followers, and returns the counts and the missing, duplicate and unexpected events. */
    stop: async () => {
      phase = 'the end'
      isSending = false
      await Promise.all(work)
      const listProblems = () =>
        followers.flatMap((follower) => checkFollower(follower, accepted, unconfirmed))
      await until(async () => listProblems().length === 0, 'followers').catch(() => {})
      await sleep(SETTLE_MS)
      isOver = true
      return {
        counts,
        failures,
        accepted: accepted.size,
        followers: followers.length,
        problems: listProblems(),
      }
    },
  }
}

/** Ends the load, and throws if a request failed or a follower received wrong events. */
export async function verifyLoad(load) {
  const { counts, failures, accepted, followers, problems } = await load.stop()
  console.log(
    `  ${counts.requests} requests, ${counts.polls} of them polls; the longest other took ${Math.round(counts.longestMs)} ms (${counts.longest})`,
  )
  console.log(
    `  ${accepted} messages, edits and reactions; ${followers} followers received ${counts.received} events`,
  )
  for (const one of problems.slice(0, 30)) console.log(`  ${one}`)
  expect(
    failures.length === 0 && problems.length === 0,
    `${failures.length} requests failed, ${problems.length} events are wrong`,
  )
}

/** A key that identifies an event; null for events that are not checked. */
function keyOf(event) {
  if (event.type === 'message') return `message ${event.message.id}`
  if (event.type === 'update_message' && event.content !== undefined)
    return `edit ${event.message_id} ${event.content}`
  return event.type === 'reaction' ? `reaction ${event.message_id} ${event.op}` : null
}

/**
 * Lists the problems of a follower. It must have received all actions accepted since it registered, once and in order, and
 * otherwise only unconfirmed ones.
 */
function checkFollower({ since, firstId, received, errors }, accepted, unconfirmed) {
  const who = `a follower since "${since}"`
  const wanted = [...accepted].filter((key) => idOf(key) > firstId)
  const had = new Set(received)
  const unexpected = received.filter(
    (key) => idOf(key) > firstId && !accepted.has(key) && !unconfirmed.keys.has(key),
  )
  const ids = received.filter((key) => key.startsWith('message ')).map(idOf)
  const isTooEarly = (key, at) => !received.slice(0, at).includes(key.replace('remove', 'add'))
  return [
    ...errors,
    ...(had.size < received.length ? [`${received.length - had.size} duplicate events`] : []),
    ...wanted.filter((key) => !had.has(key)).map((key) => `missing ${key}`),
    ...unexpected.filter((key) => !key.startsWith('message ')).map((key) => `unexpected ${key}`),
    ...(unexpected.filter((key) => key.startsWith('message ')).length > unconfirmed.messages
      ? ['unexpected messages']
      : []),
    ...(ids.some((id, at) => at > 0 && id < ids[at - 1]) ? ['messages out of order'] : []),
    ...received
      .filter((key, at) => key.endsWith(' remove') && idOf(key) > firstId && isTooEarly(key, at))
      .map((key) => `${key} before it was added`),
  ].map((problem) => `${who}: ${problem}`)
}

const idOf = (key) => Number(key.split(' ')[1])
