import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText } from '../../declarations/parameter.ts'
import { actorKinds, auditRecord, auditTargetType, MAX_AUDIT_PAGE } from '../audit-log.ts'

const log = { owner: 'realm', method: 'GET', auth: 'administrator' } as const
const id = z.int().nonnegative()
const time = z.number('must be a number of UNIX seconds').min(0).max(8_640_000_000_000)

/** What an entry must be to be returned; all that are given must hold. */
const filters = {
  actor_id: optionalJson(id, { description: 'Only what this user did.' }),
  actor_kind: optionalText(z.enum(actorKinds), { description: 'Only what actors of this kind did.' }),
  target_type: optionalText(auditTargetType, { description: 'Only what was done to objects of this type.' }),
  target_id: optionalJson(id, { description: 'Only what was done to this object; needs `target_type`.' }),
  channel_id: optionalJson(id, { description: 'Only what was done to this channel, or in it.' }),
  group_id: optionalJson(id, { description: 'Only what was done to this user group, or in it.' }),
  actions: optionalJson(z.array(z.string().max(100)).min(1).max(100), {
    description: 'Only these actions; docs/audit-log.md has their names.',
  }),
  since: optionalJson(time, { description: 'UNIX seconds: only what happened then or later.' }),
  until: optionalJson(time, { description: 'UNIX seconds: only what happened before.' }),
}

export const listAuditLog = endpoint({
  ...log,
  name: 'listAuditLog',
  path: '/realm/audit_log',
  summary: "List entries of the organization's audit log, the newest first",
  description:
    'For the next page, send the `id` of the last entry as `before_id`. An entry is there a moment after what it tells.',
  parameters: {
    ...filters,
    before_id: optionalJson(z.int().positive(), { description: 'Only entries before this one.' }),
    limit: optionalJson(z.int().min(1).max(MAX_AUDIT_PAGE), {
      description: `How many entries at most; by default 100, and never more than ${MAX_AUDIT_PAGE}.`,
    }),
  },
  response: z.object({
    entries: z.array(auditRecord),
    found_oldest: z.boolean().describe('Whether no older entry matches.'),
  }),
  errors: ['BAD_REQUEST'],
})

export const exportAuditLog = endpoint({
  ...log,
  name: 'exportAuditLog',
  path: '/realm/audit_log/export',
  summary: "Get the organization's audit log as a file, the oldest entry first",
  description: 'That it was exported, and with which filters, is an entry of its own.',
  parameters: {
    ...filters,
    format: optionalText(z.enum(['csv', 'jsonl']), {
      description: '`csv` (the default) with a line of names, or `jsonl`: a JSON object in each line.',
    }),
  },
  answer: 'file',
  response: z.object({}),
  errors: ['BAD_REQUEST'],
})
