import { endpoints } from '@tms/contracts'
import { registerQueue, type TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newOrganization } from '../support/other-organization.ts'

export const deactivationTests = (system: () => TestSystem): void => {
  describe('an organization', () => {
    test('is deleted no sooner after its deactivation than register says', async () => {
      const organization = await newOrganization(system())
      const { owner } = organization
      const member = await organization.createUser()
      const { state } = await registerQueue(owner)
      const deactivate = (deletion_delay_days: unknown, client = owner) =>
        client.request('POST', '/realm/deactivate', [
          ['deletion_delay_days', JSON.stringify(deletion_delay_days)],
        ])

      expect(state).toMatchObject({
        server_min_deactivated_realm_deletion_days: 14,
        server_max_deactivated_realm_deletion_days: null,
      })
      for (const days of [13, 0, -1, 1.5, 'soon', 40_000, 2 ** 53])
        expect(await deactivate(days)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await deactivate(14, member)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      expect((await owner.send(endpoints.users.getOwnUser, {})).status).toBe(200)
      expect(await deactivate(14)).toMatchObject(success())
      expect((await owner.send(endpoints.users.getOwnUser, {})).status).toBe(401)
    })
  })
}
