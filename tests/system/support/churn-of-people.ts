import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { newUsers } from './people.ts'

const { deactivateUser, reactivateUser, updateUser } = endpoints.users
const { subscribe, unsubscribe } = endpoints.messaging

/** Each may follow the one before it. */
const ROLES = [Role.guest, Role.moderator, Role.administrator, Role.member] as const

/**
 * Changes of people, for `startChurn` to repeat: names, deactivating and reactivating someone who is in channels, and
 * roles of one who registers queues meanwhile, the `wanderer`.
 */
export async function churnOfPeople(
  product: TestSystem,
  wanderer: ApiClient,
  channels: { readonly open: string; readonly secret: string },
): Promise<((turn: number) => Promise<unknown>)[]> {
  const { owner } = product
  const [renamed, passing] = (await newUsers(product, 2)) as [ApiClient, ApiClient]
  const names = [channels.open, channels.secret]
  await owner.call(subscribe, {
    subscriptions: names.map((name) => ({ name })),
    principals: [passing.userId],
  })

  return [
    (turn) => owner.call(updateUser, { user_id: renamed.userId, full_name: `Renamed ${turn}` }),
    async () => {
      await owner.call(deactivateUser, { user_id: passing.userId })
      await owner.call(reactivateUser, { user_id: passing.userId })
    },
    (turn) =>
      owner.call(updateUser, {
        user_id: wanderer.userId,
        role: ROLES[turn % ROLES.length] as Role,
        full_name: `Wanderer ${turn}`,
      }),
    async () => {
      const principals = [wanderer.userId]
      await owner.call(subscribe, { subscriptions: names.map((name) => ({ name })), principals })
      await owner.call(unsubscribe, { subscriptions: names, principals })
    },
  ]
}
