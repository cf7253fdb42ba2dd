import { setTimeout as sleep } from 'node:timers/promises'
import { Actor } from './actor.ts'
import { checkDeeds, checkTyping } from './check-deeds.ts'
import { checkSettings } from './check-settings.ts'
import { checkStates } from './check-states.ts'
import { checkTold, offsetOf } from './check-told.ts'
import type { History, Operation } from './history.ts'
import { RoamingClient } from './roaming-client.ts'
import { settingChanges, settingUses } from './setting-history.ts'
import { type Stage, setScene, untilSettled } from './stage.ts'
import { strikeAll, targetOf } from './strike.ts'
import { createConcurrencyLimit, type Turns } from './turns.ts'

/** Generous: after the last fault a backlog is worked off by a machine that does other things too. */
const ARRIVAL_MS = 120_000
const LOOK_MS = 20

/** What came of a history. */
export interface Outcome {
  /** What contradicts the promise (docs/events.md); none where it was kept. */
  readonly problems: readonly string[]
  readonly deeds: number
  /** How often a deed showed a setting. */
  readonly uses: number
  readonly events: number
}

/** Plays a history, and compares what each client was told with what it was to be told. */
export async function runHistory(
  stage: Stage,
  { scripts, clients: plans, faults }: History,
  note: (text: string) => void,
): Promise<Outcome> {
  const scene = await setScene(stage)
  const { log, product } = scene
  const actors = scene.cast.map((client) => new Actor(client, scene))
  const clients = plans.map((plan) => new RoamingClient(plan, scene))
  const turns = createConcurrencyLimit()
  const polling: Promise<void>[] = []
  const living = allOf(clients.map((client) => live(client, turns, polling)))
  const going = { isOver: false }
  const acting = allOf(actors.map((actor, index) => act(actor, scripts[index] ?? [], going)))

  let horizon: number
  try {
    await strikeAll(product, faults, (number) => {
      const fault = faults[number - 1]
      if (fault) note(`${fault.blow.how} ${targetOf(fault)}`)
      turns.reach(number)
    })
    note('settling')
  } finally {
    going.isOver = true
    turns.reach(Number.POSITIVE_INFINITY)
  }
  try {
    await acting
    await living
    horizon = await untilSettled(scene)
    await waitUntilPublished(clients, horizon)
  } finally {
    for (const client of clients) client.stop()
    await Promise.all(polling)
  }

  const deeds = actors.map((actor) => actor.deeds)
  const changes = [...scene.settings, ...settingChanges(deeds.flat(), log.taken)]
  const uses = settingUses(deeds.flat())
  const found = [
    ...deeds.flatMap((done, index) => checkDeeds(`actor ${index}`, done, log.taken)),
    ...checkTyping(deeds.flat(), log.taken),
    ...checkSettings(changes, uses),
    ...clients.flatMap((client) => checkTold(client, log.taken, horizon)),
    ...(await checkStates(scene, clients, horizon)),
    ...product.system.replicas
      .filter(({ pid }) => pid === null)
      .map(({ service, index }) => `replica ${index} of ${service} has ended by itself`),
  ]
  // Last, since who has left is asked for less; and before its problems are, since a queue that outlives its deletion is one.
  await Promise.all(clients.map((client) => client.leave()))
  return {
    problems: [...clients.flatMap((client) => client.problems), ...found],
    deeds: deeds.flat().length,
    uses: uses.length,
    events: clients.reduce((sum, { received }) => sum + received.length, 0),
  }
}

/** A client's life: from one fault on, until another, if it leaves. */
async function live(client: RoamingClient, turns: Turns, polling: Promise<void>[]): Promise<void> {
  const { comesAt, leavesAt } = client.plan
  await turns.when(comesAt)
  await client.register()
  polling.push(client.run())
  if (leavesAt === null) return
  await turns.when(leavesAt)
  await client.leave()
}

/** Goes through a script at least once, and again until it is over; what one round turns on, the next turns off. */
async function act(actor: Actor, script: readonly Operation[], going: { isOver: boolean }): Promise<void> {
  let isOn = false
  do {
    isOn = !isOn
    for (const operation of script) {
      await actor.perform(operation, isOn)
      await sleep(operation.pauseMs)
    }
  } while (!going.isOver)
}

/** Until everyone who stayed has got what came last; who doesn't get it in time is found by what is missing. */
async function waitUntilPublished(clients: readonly RoamingClient[], horizon: number): Promise<void> {
  const deadline = Date.now() + ARRIVAL_MS
  const isTold = (client: RoamingClient) => client.hasLeft || offsetOf(client.lastEventId) >= horizon
  while (!clients.every(isTold) && Date.now() < deadline) await sleep(LOOK_MS)
}

/** Like `Promise.all`, for what is waited for later: a failure until then doesn't count as unhandled. */
function allOf(work: readonly Promise<void>[]): Promise<unknown> {
  const all = Promise.all(work)
  all.catch(() => {})
  return all
}
