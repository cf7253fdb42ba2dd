import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { onePixel } from './pictures.ts'

const { deleteOwnAvatar, updateSettingDefaults, updateSettings } = endpoints.users
const VISIBILITIES = [4, 1, 2, 3, 5] as const

/** What people change of their own accounts, and owners of later ones, for `startChurn` to repeat. */
export function churnOfOwnAccounts(
  owner: ApiClient,
  observers: readonly ApiClient[],
): ((turn: number) => Promise<unknown>)[] {
  const pick = (turn: number): ApiClient => observers[turn % observers.length] as ApiClient
  return [
    async (turn) => {
      const email_address_visibility = VISIBILITIES[turn % VISIBILITIES.length] as number
      await pick(turn).call(updateSettings, { full_name: `Observer ${turn}`, email_address_visibility })
    },
    async (turn) => {
      await pick(turn).uploadTo('/api/v1/users/me/avatar', { name: 'me.png', content: onePixel })
      if (turn % 3 > 0) await pick(turn).call(deleteOwnAvatar, {})
    },
    (turn) =>
      owner.call(updateSettingDefaults, {
        color_scheme: 1 + (turn % 3),
        email_address_visibility: 1 + (turn % 2),
      }),
  ]
}
