import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { createEndless } from './forever.ts'
import { seenIn } from './guests.ts'
import { createChannel, newUsers, say, whisper } from './people.ts'

const { archiveChannel, subscribe, unsubscribe } = endpoints.messaging
const { updateUser } = endpoints.users
const MEMBERS = 4
const RENAMED = 'Changing'

interface ChurnOfSights {
  /** Ends it, and returns who came last into the sight of all guests: what is told after them is told of nobody. */
  stop(): Promise<ApiClient>
}

/**
 * Keeps changing whom guests see, all at once: members and guests join and leave channels that they share, which come
 * to an end; names change in sight and out of it; newcomers write to guests, or to nobody.
 */
export async function startChurnOfSights(
  system: TestSystem,
  guests: readonly ApiClient[],
): Promise<ChurnOfSights> {
  const { owner } = system
  const members = await newUsers(system, MEMBERS)
  const rooms = [
    await createChannel(owner, { others: guests }),
    await createChannel(owner, { others: members }),
  ]
  const pick = <T>(from: readonly T[], turn: number): T => from[turn % from.length] as T

  const { forever, stop } = createEndless()
  const comeAndGo =
    (users: readonly ApiClient[], room: { name: string } | undefined) => async (turn: number) => {
      const principals = [pick(users, turn), pick(users, turn + 1)].map(({ userId }) => userId)
      const name = room?.name ?? ''
      await owner.call(subscribe, { subscriptions: [{ name }], principals })
      await owner.call(unsubscribe, { subscriptions: [name], principals })
    }
  // In one room it is the members who come and go, in the other the guests.
  forever(comeAndGo(members, rooms[0]))
  forever(comeAndGo(guests, rooms[1]))
  forever(async (turn) => {
    const { id } = await createChannel(owner, { others: [pick(members, turn), pick(guests, turn)] })
    await owner.call(archiveChannel, { stream_id: id })
  })
  members.forEach(({ userId: user_id }) =>
    forever((turn) => owner.call(updateUser, { user_id, full_name: `${RENAMED} ${user_id} ${turn}` })),
  )
  forever((turn) => say(pick(members, turn), rooms[0]?.name ?? ''))
  forever(async (turn) => {
    const [newcomer] = (await newUsers(system, 1)) as [ApiClient]
    if (turn % 2 === 0) await whisper(newcomer, [pick(guests, turn)])
  })
  return {
    stop: async () => {
      await stop()
      const [last] = (await newUsers(system, 1)) as [ApiClient]
      await whisper(last, guests)
      for (const guest of guests) {
        if ((await seenIn(guest, last)).has(false)) throw new Error('a guest does not see who wrote to them')
      }
      return last
    },
  }
}

/** At which turn someone got this name; null for who isn't renamed. */
export function turnOf(fullName = ''): number | null {
  return fullName.startsWith(RENAMED) ? Number(fullName.split(' ').at(-1)) : null
}
