import { endpoints, Role, systemGroupIds } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { newUserOfRole } from './users-and-channels.ts'

const { getUser, listUsers } = endpoints.users
const { listSubscriptions, unsubscribe } = endpoints.messaging
const GROUPS = {
  limited: systemGroupIds['role:members'],
  unlimited: systemGroupIds['role:everyone'],
} as const

/** A guest without channels, who shares nothing with anyone. */
export async function newGuestWithoutChannels(system: TestSystem): Promise<ApiClient> {
  const guest = await newUserOfRole(system, Role.guest)
  const { subscriptions } = await guest.call(listSubscriptions, {})
  await guest.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) })
  return guest
}

/** Restricts which users guests of the organization see, or lifts that. */
export async function setGuestVisibility(
  { owner }: TestSystem,
  visibility: 'limited' | 'unlimited',
): Promise<void> {
  await owner.call(endpoints.realm.updateRealm, { can_access_all_users_group: GROUPS[visibility] })
}

/** Whether a user can be requested by ID. */
export async function canSee(viewer: ApiClient, { userId: user_id }: ApiClient): Promise<boolean> {
  return (await viewer.send(getUser, { user_id })).status === 200
}

/** Whether a guest sees a user, by each endpoint, in two responses each, as there are two replicas. */
export async function visibilityTo(guest: ApiClient, user: ApiClient): Promise<Set<boolean>> {
  const answers = [canSee(guest, user), canSee(guest, user), isListed(guest, user), isListed(guest, user)]
  return new Set(await Promise.all(answers))
}

/** Whether the list of users contains a user's name. */
async function isListed(viewer: ApiClient, { userId }: ApiClient): Promise<boolean> {
  const { members } = await viewer.call(listUsers, {})
  return members.find(({ user_id }) => user_id === userId)?.full_name !== 'Unknown user'
}
