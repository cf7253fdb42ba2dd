// What clients do while try-upgrade.mjs or try-kubernetes.mjs replaces everything under them: they follow event queues, send, edit,
// react, upload, look around and sign in. Every request is made once, and one that isn't answered with success is a failure.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, until } from './trial.mjs'
import { PICTURE } from './trial-client.mjs'
import { reasonOf } from './trial-steps.mjs'

const EVENT_TYPES = JSON.stringify(['message', 'update_message', 'reaction'])
const CHANNEL = 'general'
const TOPIC = 'upgrading'
/** Of each sender, between two things that it does. */
const PAUSE_MS = 700
const SIGN_IN_PAUSE_MS = 3_000
const REGISTER_PAUSE_MS = 1_500
/** Failures that are told one by one. */
const MAX_TOLD = 30
/** A follower that has waited for so long has been given nothing that it lacks. */
const SETTLE_MS = 2_000

/** An organization, unless it is there, and its people, so many, with their keys. */
export async function hire({ manage, call }, count, organization = 'sales') {
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
 * Starts it. `people` have `auth`, `email` and `password`; each of them has `queuesEach` followers, from now on to the end, and
 * the first `senders` send.
 */
export async function startLoad(trial, { people, queuesEach, senders }) {
  const counts = { requests: 0, polls: 0, heard: 0, longestMs: 0, longest: '' }
  const failures = []
  /** What was accepted, as followers are to hear it: every key once. */
  const accepted = new Set()
  /** What was refused: it may have been done all the same, so it may be heard. */
  const unsure = { keys: new Set(), messages: 0 }
  const followers = []
  let phase = 'before'
  let isSending = true
  let isOver = false

  /** Tells the first of them at once, since what was replaced just then says why. */
  const fail = (what) => {
    if (isOver) return
    failures.push(`${new Date().toISOString().slice(11, 23)} ${phase}: ${what}`)
    if (failures.length <= MAX_TOLD) console.log(`  ${failures.at(-1)}`)
  }
  /** The answer, or null for a failure, which is noted. */
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
      note(reasonOf(err))
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
      heard: [],
      errors: [],
      lastEventId: opened.last_event_id,
    }
    followers.push(follower)
    follower.ended = (async () => {
      while (!isOver) {
        const query = `queue_id=${opened.queue_id}&last_event_id=${follower.lastEventId}`
        const answer = await call('GET', `/events?${query}`, { auth })
        if (!answer) await sleep(PAUSE_MS)
        for (const event of answer?.events ?? []) hear(follower, event)
      }
    })()
  }
  const hear = (follower, event) => {
    if (event.id <= follower.lastEventId)
      follower.errors.push(`event ${event.id} after ${follower.lastEventId}`)
    follower.lastEventId = event.id
    const key = keyOf(event)
    if (!key) return
    counts.heard += 1
    follower.heard.push(key)
  }

  const forever = async (pauseMs, work) => {
    for (let turn = 0; isSending; turn++) {
      await work(turn)
      await sleep(pauseMs)
    }
  }
  const settle = (isDone, key) => (isDone ? accepted : unsure.keys).add(key)
  const send = async ({ auth, userId }, turn) => {
    const form = { type: 'stream', to: CHANNEL, topic: TOPIC, content: `number ${turn} of ${userId}` }
    const sent = await call('POST', '/messages', { auth, form })
    if (!sent) {
      unsure.messages += 1
      return
    }
    accepted.add(`message ${sent.id}`)
    if (turn % 3 === 0) {
      const content = `edited in turn ${turn}`
      const isDone = await call('PATCH', `/messages/${sent.id}`, { auth, form: { content } })
      settle(isDone, `edit ${sent.id} ${content}`)
    }
    if (turn % 4 === 0) {
      for (const [method, op] of [
        ['POST', 'add'],
        ['DELETE', 'remove'],
      ]) {
        const form = { emoji_name: 'octopus' }
        const isDone = await call(method, `/messages/${sent.id}/reactions`, { auth, form })
        settle(isDone, `reaction ${sent.id} ${op}`)
      }
    }
    if (turn % 5 === 0) await call('GET', '/messages?anchor=newest&num_before=20&num_after=0', { auth })
    if (turn % 8 === 0) {
      const uploaded = await call('POST', '/user_uploads', { auth, file: `picture-${turn}.png` })
      if (!uploaded) return
      const file = await ask('GET', uploaded.uri ?? uploaded.url, { auth })
      if (file && !file.equals(PICTURE)) fail('a file came back as another')
    }
  }

  for (const person of people) {
    for (let count = 0; count < queuesEach; count++) await follow(person, phase)
  }
  const [signing, registering] = people
  const work = [
    ...people.slice(0, senders).map((person) => forever(PAUSE_MS, (turn) => send(person, turn))),
    forever(SIGN_IN_PAUSE_MS, () =>
      call('POST', '/fetch_api_key', { form: { username: signing.email, password: signing.password } }),
    ),
    forever(REGISTER_PAUSE_MS, async () => {
      const { auth } = registering
      const opened = await call('POST', '/register', { auth })
      if (opened) await call('DELETE', '/events', { auth, form: { queue_id: opened.queue_id } })
    }),
  ]

  return {
    /** What follows belongs to a phase, from which on a further follower of each of some people listens too. */
    enter: async (name) => {
      phase = name
      for (const person of people.slice(0, 3)) await follow(person, name)
    },
    failures,
    counts,
    /** Ends it as it is. */
    end: () => {
      isSending = false
      isOver = true
    },
    /** Ends what is done, waits for followers, and tells what was done and what each of them lacks or had twice. */
    stop: async () => {
      phase = 'the end'
      isSending = false
      await Promise.all(work)
      const lacking = () => followers.flatMap((follower) => complaintsOf(follower, accepted, unsure))
      await until(async () => lacking().length === 0, 'followers').catch(() => {})
      await sleep(SETTLE_MS)
      isOver = true
      return { counts, failures, accepted: accepted.size, followers: followers.length, complaints: lacking() }
    },
  }
}

/** Ends the load, and throws where a request failed or a follower heard something else than what was done. */
export async function judge(load) {
  const { counts, failures, accepted, followers, complaints } = await load.stop()
  console.log(
    `  ${counts.requests} requests, ${counts.polls} of them polls; the longest other took ${Math.round(counts.longestMs)} ms (${counts.longest})`,
  )
  console.log(
    `  ${accepted} messages, edits and reactions; ${followers} followers heard ${counts.heard} events`,
  )
  for (const one of complaints.slice(0, 30)) console.log(`  ${one}`)
  expect(
    failures.length === 0 && complaints.length === 0,
    `${failures.length} requests failed, ${complaints.length} events are wrong`,
  )
}

/** How an event is told from others; null for those that nobody counts. */
function keyOf(event) {
  if (event.type === 'message') return `message ${event.message.id}`
  if (event.type === 'update_message' && event.content !== undefined)
    return `edit ${event.message_id} ${event.content}`
  return event.type === 'reaction' ? `reaction ${event.message_id} ${event.op}` : null
}

/**
 * What is wrong with what a follower has heard: it is what was accepted since it registered, once and in order, and nothing
 * else but what was refused.
 */
function complaintsOf({ since, firstId, heard, errors }, accepted, unsure) {
  const who = `a follower since "${since}"`
  const wanted = [...accepted].filter((key) => idOf(key) > firstId)
  const had = new Set(heard)
  const foreign = heard.filter((key) => idOf(key) > firstId && !accepted.has(key) && !unsure.keys.has(key))
  const ids = heard.filter((key) => key.startsWith('message ')).map(idOf)
  const isTooEarly = (key, at) => !heard.slice(0, at).includes(key.replace('remove', 'add'))
  return [
    ...errors,
    ...(had.size < heard.length ? [`${heard.length - had.size} events came twice`] : []),
    ...wanted.filter((key) => !had.has(key)).map((key) => `lacks ${key}`),
    ...foreign.filter((key) => !key.startsWith('message ')).map((key) => `had ${key}, which nobody sent`),
    ...(foreign.filter((key) => key.startsWith('message ')).length > unsure.messages
      ? ['messages that nobody sent']
      : []),
    ...(ids.some((id, at) => at > 0 && id < ids[at - 1]) ? ['messages came out of order'] : []),
    ...heard
      .filter((key, at) => key.endsWith(' remove') && idOf(key) > firstId && isTooEarly(key, at))
      .map((key) => `${key} before it was added`),
  ].map((complaint) => `${who}: ${complaint}`)
}

const idOf = (key) => Number(key.split(' ')[1])
