import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { exportConsent } from '../export-consents.ts'

export const listExportConsents = endpoint({
  name: 'listExportConsents',
  owner: 'users',
  method: 'GET',
  path: '/export/realm/consents',
  auth: 'administrator',
  summary: 'List which active users let their private data be exported, by `allow_private_data_export`',
  response: z.object({ export_consents: z.array(exportConsent) }),
})
