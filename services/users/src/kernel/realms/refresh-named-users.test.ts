import { internal } from '@tms/contracts'
import { createLog, type InternalClient } from '@tms/service-kit'
import { expect, test, vi } from 'vitest'
import { refreshNamedUsers } from './refresh-named-users.ts'

const cause = { log: createLog('test', 'silent'), requestId: 'r1' }

test('asks realm, which alone knows if a permission is about to name the user', async () => {
  const call = vi.fn(() => Promise.resolve({}))

  await refreshNamedUsers({ call: call as InternalClient }, 7, cause)

  const options = expect.objectContaining({ requestId: 'r1' })
  expect(call.mock.calls).toEqual([[internal.realm.refreshNamedUsers, { realm_id: 7 }, options]])
})

test('leaves it to the repair if realm does not answer', async () => {
  const call = () => Promise.reject(new Error('no answer'))

  await expect(refreshNamedUsers({ call }, 7, cause)).resolves.toBeUndefined()
})
