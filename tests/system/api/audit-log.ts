import { endpoints, Role } from '@tms/contracts'
import type { TestSystem } from '@tms/test-kit'
import { describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUserOfRole } from '../support/users-and-channels.ts'

const { exportAuditLog, listAuditLog } = endpoints.realm

export const auditLogTests = (system: () => TestSystem): void => {
  describe('the audit log', () => {
    test('is listed and exported for administrators, with valid filters', async () => {
      const administrator = await newUserOfRole(system(), Role.administrator)
      expect(await administrator.send(listAuditLog, { limit: 2 })).toMatchObject(
        success({ entries: expect.any(Array), found_oldest: expect.any(Boolean) }),
      )
      const file = await administrator.fetch('/api/v1/realm/audit_log/export?actor_kind=system')
      expect([file.status, (await file.text()).startsWith('id,time,actor_kind,')]).toEqual([200, true])
      for (const endpoint of [listAuditLog, exportAuditLog])
        expect(await administrator.send(endpoint, { target_id: 1 })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })
}
