import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { onePixel } from './pictures.ts'

const { deleteOwnAvatar, updateSettingDefaults, updateSettings } = endpoints.users
const VISIBILITIES = [4, 1, 2, 3, 5] as const

/** Encoding pictures takes CPU time that other processes need. */
const TURNS_PER_AVATAR = 4

/** Changes of users' own accounts, and by owners of the defaults for new ones, for `startWorkload`. */
export function ownAccountWorkload(
  owner: ApiClient,
  observers: readonly ApiClient[],
): (turn: number) => Promise<unknown> {
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient
  return async (turn) => {
    const email_address_visibility = VISIBILITIES[turn % VISIBILITIES.length] as number
    await pick(turn).call(updateSettings, { full_name: `Observer ${turn}`, email_address_visibility })
    await owner.call(updateSettingDefaults, {
      color_scheme: 1 + (turn % 3),
      email_address_visibility: 1 + (turn % 2),
    })
    if (turn % TURNS_PER_AVATAR > 0) return
    await pick(turn).uploadTo('/api/v1/users/me/avatar', { name: 'me.png', content: onePixel })
    if (turn % 3 > 0) await pick(turn).call(deleteOwnAvatar, {})
  }
}
