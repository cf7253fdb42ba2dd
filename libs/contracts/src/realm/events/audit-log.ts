import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'

export const auditLogExported = domainEvent({
  name: 'realm.audit_log_exported.v1',
  producer: 'realm',
  summary: 'An administrator got the audit log as a file',
  payload: z.object({ format: z.string(), filters: z.record(z.string(), z.unknown()) }),
  audience: () => [],
  audit: {
    actions: { audit_log_exported: 'The audit log was exported' },
    entries: ({ format, filters }) => [{ action: 'audit_log_exported', details: { format, filters } }],
  },
})
