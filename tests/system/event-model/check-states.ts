import { isDeepStrictEqual } from 'node:util'
import { ClientModel } from '../support/client-model.ts'
import { offsetOf } from './check-delivered.ts'
import type { Scenario } from './environment.ts'
import { IntermittentClient } from './intermittent-client.ts'

const MAX_TEXT = 300

/** Compares each client's state, with all received events applied, with the state of a new client. */
export async function checkStates(
  scenario: Scenario,
  clients: readonly IntermittentClient[],
  lastOffset: number,
): Promise<string[]> {
  const problems: string[] = []
  const current = new Map<number, ClientModel>()
  for (const client of clients) {
    const { who, scope } = client.plan
    // The others do not request the state, and clients that left have missed the rest.
    if (scope !== 'everything' || client.hasLeft) continue
    const now = current.get(who) ?? (await stateNow(client, scenario, problems))
    current.set(who, now)
    const model = new ClientModel(client.api.userId, client.state)
    for (const { event } of client.received) {
      // No state contains typing.
      if (offsetOf(event.id) <= lastOffset && event.type !== 'typing') model.apply(event)
    }
    problems.push(...model.problems.slice(0, 3).map((problem) => `${client.describe()}: ${problem}`))
    // After an hour users may have more unread messages than a state contains.
    const unreadFrom = Math.max(model.unreadFrom, now.unreadFrom)
    problems.push(...differencesOf(client, model.comparable(unreadFrom), now.comparable(unreadFrom)))
  }
  return problems
}

/** The state of a new client of the same kind; its problems are reported with the others. */
async function stateNow(
  { plan }: IntermittentClient,
  scenario: Scenario,
  problems: string[],
): Promise<ClientModel> {
  const fresh = new IntermittentClient(plan, scenario)
  await fresh.register()
  await fresh.leave()
  problems.push(...fresh.problems)
  return new ClientModel(fresh.api.userId, fresh.state)
}

function differencesOf(
  client: IntermittentClient,
  applied: Record<string, unknown>,
  current: Record<string, unknown>,
): string[] {
  return Object.keys(current)
    .filter((part) => !isDeepStrictEqual(applied[part], current[part]))
    .map((part) => {
      const [mine, theirs] = [applied[part], current[part]].map((value) =>
        textFrom(value, applied[part], current[part]),
      )
      return `${client.describe()}: ${part} came to be ${mine}, and is ${theirs}`
    })
}

/** From where they differ. */
function textFrom(value: unknown, ...both: readonly unknown[]): string {
  const [one = '', other = ''] = both.map((each) => JSON.stringify(each))
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - MAX_TEXT / 4)
  return JSON.stringify(value).slice(from, from + MAX_TEXT)
}
