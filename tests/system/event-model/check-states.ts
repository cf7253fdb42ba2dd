import { isDeepStrictEqual } from 'node:util'
import { ClientModel } from '../support/client-model.ts'
import { offsetOf } from './check-told.ts'
import { RoamingClient } from './roaming-client.ts'
import type { Scene } from './stage.ts'

const MAX_TEXT = 300

/** Compares the state that each client got, with all that it was told since, with the state that it would get now. */
export async function checkStates(
  scene: Scene,
  clients: readonly RoamingClient[],
  horizon: number,
): Promise<string[]> {
  const problems: string[] = []
  const present = new Map<number, ClientModel>()
  for (const client of clients) {
    const { who, wants } = client.plan
    // The others don't ask for the state, and who left has missed the rest.
    if (wants !== 'everything' || client.hasLeft) continue
    const now = present.get(who) ?? (await stateNow(client, scene, problems))
    present.set(who, now)
    const model = new ClientModel(client.api.userId, client.state)
    for (const { event } of client.received) {
      // Nobody keeps who typed.
      if (offsetOf(event.id) <= horizon && event.type !== 'typing') model.apply(event)
    }
    problems.push(...model.problems.slice(0, 3).map((problem) => `${client.describe()}: ${problem}`))
    // After an hour people may have more unread than a state tells of.
    const unreadFrom = Math.max(model.unreadFrom, now.unreadFrom)
    problems.push(...differencesOf(client, model.comparable(unreadFrom), now.comparable(unreadFrom)))
  }
  return problems
}

/** The state that such a client would get; what it has to object to goes to the others' problems. */
async function stateNow({ plan }: RoamingClient, scene: Scene, problems: string[]): Promise<ClientModel> {
  const fresh = new RoamingClient(plan, scene)
  await fresh.register()
  await fresh.leave()
  problems.push(...fresh.problems)
  return new ClientModel(fresh.api.userId, fresh.state)
}

function differencesOf(
  client: RoamingClient,
  kept: Record<string, unknown>,
  present: Record<string, unknown>,
): string[] {
  return Object.keys(present)
    .filter((part) => !isDeepStrictEqual(kept[part], present[part]))
    .map((part) => {
      const [mine, theirs] = [kept[part], present[part]].map((value) =>
        textFrom(value, kept[part], present[part]),
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
