import { endpoints, Role, systemGroupIds } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { newUserOfRole } from './people.ts'

const { getUser, listUsers } = endpoints.users
const { listSubscriptions, unsubscribe } = endpoints.messaging
const GROUPS = {
  limited: systemGroupIds['role:members'],
  unlimited: systemGroupIds['role:everyone'],
} as const

/** A guest who is in no channel, so that they share nothing with anyone. */
export async function newLonelyGuest(system: TestSystem): Promise<ApiClient> {
  const guest = await newUserOfRole(system, Role.guest)
  const { subscriptions } = await guest.call(listSubscriptions, {})
  await guest.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  return guest
}

/** Limits what guests of the organization see, or no longer. */
export async function letGuestsSee({ owner }: TestSystem, sight: 'limited' | 'unlimited'): Promise<void> {
  await owner.call(endpoints.realm.updateRealm, { can_access_all_users_group: GROUPS[sight] })
}

/** Whether a user is asked for by ID in vain. */
export async function sees(viewer: ApiClient, { userId: user_id }: ApiClient): Promise<boolean> {
  return (await viewer.send(getUser, { user_id })).status === 200
}

/** What each place says of whether a guest sees someone, two answers each, as there are replicas. */
export async function seenIn(guest: ApiClient, user: ApiClient): Promise<Set<boolean>> {
  const answers = [sees(guest, user), sees(guest, user), isNamed(guest, user), isNamed(guest, user)]
  return new Set(await Promise.all(answers))
}

/** Whether the list of users tells a user's name. */
async function isNamed(viewer: ApiClient, { userId }: ApiClient): Promise<boolean> {
  const { members } = await viewer.call(listUsers, {})
  return members.find(({ user_id }) => user_id === userId)?.full_name !== 'Unknown user'
}
