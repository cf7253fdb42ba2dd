import { setTimeout as sleep } from 'node:timers/promises'
import { Actor } from './actor.ts'
import { checkActions, checkTyping } from './check-actions.ts'
import { checkDelivered, offsetOf } from './check-delivered.ts'
import { checkNotifications, type NotifiedPerson } from './check-notifications.ts'
import { checkSettings } from './check-settings.ts'
import { checkStates } from './check-states.ts'
import { createScenario, type Environment, type Scenario, waitUntilSettled } from './environment.ts'
import { createFaultCounter, type FaultCounter } from './fault-counter.ts'
import { type Fault, type History, type Operation, PRIVATE_CHANNEL } from './history.ts'
import { injectFaults, targetOf } from './inject-faults.ts'
import { IntermittentClient } from './intermittent-client.ts'
import { settingChanges, settingUses } from './setting-history.ts'

/** Generous: after the last fault a busy machine processes a backlog. */
const ARRIVAL_MS = 120_000
const POLL_INTERVAL_MS = 20

/** The result of a history. */
export interface Outcome {
  /** Contradictions to the guarantees (docs/events.md); none if they held. */
  readonly problems: readonly string[]
  readonly actions: number
  /** How often an action showed a setting. */
  readonly uses: number
  readonly events: number
}

/** Plays a history, and compares the received events of each client with the expected ones. */
export async function runHistory(
  environment: Environment,
  { scripts, clients: plans, faults }: History,
  note: (text: string) => void,
): Promise<Outcome> {
  const scenario = await createScenario(environment)
  const { log, product } = scenario
  const actors = scenario.participants.map((client) => new Actor(client, scenario))
  const clients = plans.map((plan) => new IntermittentClient(plan, scenario))
  const faultCounter = createFaultCounter()
  const polling: Promise<void>[] = []
  const living = allOf(clients.map((client) => live(client, faultCounter, polling)))
  const progress = { isOver: false }
  const acting = allOf(actors.map((actor, index) => act(actor, scripts[index] ?? [], progress)))

  let lastOffset: number
  try {
    await injectFaults(product, faults, (number) => {
      const fault = faults[number - 1]
      if (fault) note(`${fault.kind.how} ${targetOf(fault)}`)
      faultCounter.advanceTo(number)
    })
    note('settling')
  } finally {
    progress.isOver = true
    faultCounter.advanceTo(Number.POSITIVE_INFINITY)
  }
  try {
    await acting
    await living
    lastOffset = await waitUntilSettled(scenario)
    await waitUntilDelivered(clients, lastOffset)
  } finally {
    for (const client of clients) client.stop()
    await Promise.all(polling)
  }

  const actions = actors.map((actor) => actor.actions)
  const changes = [...scenario.settings, ...settingChanges(actions.flat(), log.records)]
  const uses = settingUses(actions.flat())
  const found = [
    ...actions.flatMap((done, index) => checkActions(`actor ${index}`, done, log.records)),
    ...checkTyping(actions.flat(), log.records),
    ...checkSettings(changes, uses),
    ...clients.flatMap((client) => checkDelivered(client, log.records, lastOffset)),
    ...(await checkStates(scenario, clients, lastOffset)),
    ...(await checkNotified(scenario, faults)),
    ...product.system.replicas
      .filter(({ pid }) => pid === null)
      .map(({ service, index }) => `replica ${index} of ${service} has ended by itself`),
  ]
  // After the checks, since a client that left is checked less; and before its problems are read, since a queue that outlives
  // its deletion is one.
  await Promise.all(clients.map((client) => client.leave()))
  return {
    problems: [...clients.flatMap((client) => client.problems), ...found],
    actions: actions.flat().length,
    uses: uses.length,
    events: clients.reduce((sum, { received }) => sum + received.length, 0),
  }
}

/** A client's life: from one fault on, until another, if it leaves. */
async function live(
  client: IntermittentClient,
  faultCounter: FaultCounter,
  polling: Promise<void>[],
): Promise<void> {
  const { startsAtFault, leavesAtFault } = client.plan
  await faultCounter.waitFor(startsAtFault)
  await client.register()
  polling.push(client.run())
  if (leavesAtFault === null) return
  await faultCounter.waitFor(leavesAtFault)
  await client.leave()
}

/** Repeats a script until the faults are over, at least once; each round reverts the on and off states of the previous one. */
async function act(actor: Actor, script: readonly Operation[], progress: { isOver: boolean }): Promise<void> {
  let isOn = false
  do {
    isOn = !isOn
    for (const operation of script) {
      await actor.perform(operation, isOn)
      await sleep(operation.pauseMs)
    }
  } while (!progress.isOver)
}

/** Waits until every remaining client has the last event; the checks find what is missing after the deadline. */
async function waitUntilDelivered(clients: readonly IntermittentClient[], lastOffset: number): Promise<void> {
  const deadline = Date.now() + ARRIVAL_MS
  const isDelivered = (client: IntermittentClient) =>
    client.hasLeft || offsetOf(client.lastEventId) >= lastOffset
  while (!clients.every(isDelivered) && Date.now() < deadline) await sleep(POLL_INTERVAL_MS)
}

/** Waits until what reached devices and mailboxes is as it is to be, and returns what still isn't after the deadline. */
async function checkNotified(scenario: Scenario, faults: readonly Fault[]): Promise<string[]> {
  const { log, notifications, participants, channels } = scenario
  const mayRepeat = faults.some(({ kind }) => kind.target === 'users' || kind.target === 'postgres')
  const ids = channels.map(({ id }) => id)
  const people = (): NotifiedPerson[] =>
    participants.map((participant, index) => ({
      name: `participant ${index}`,
      userId: participant.userId,
      channelIds: index < 3 ? ids : ids.filter((_, channel) => channel !== PRIVATE_CHANNEL),
      pushes: notifications.pushesOf(participant).map(({ payload }) => payload),
      mails: notifications
        .mailsTo(participant)
        .map(({ messageId = '', text = '' }) => ({ id: messageId, text })),
    }))
  const deadline = Date.now() + ARRIVAL_MS
  const problems = () => [...notifications.faults, ...checkNotifications(people(), log.records, mayRepeat)]
  while (problems().length > 0 && Date.now() < deadline) await sleep(100)
  return problems()
}

/** Like `Promise.all` for a later await: a failure until then does not count as unhandled. */
function allOf(work: readonly Promise<void>[]): Promise<unknown> {
  const all = Promise.all(work)
  all.catch(() => {})
  return all
}
