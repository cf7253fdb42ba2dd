import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, pathId, pathText } from '../../declarations/parameter.ts'
import { exportTypes, realmExport } from '../exports.ts'

const exports = { owner: 'realm', path: '/export/realm', auth: 'administrator' } as const

export const startExport = endpoint({
  ...exports,
  name: 'startExport',
  method: 'POST',
  summary: 'Start an export of the organization into an archive',
  parameters: {
    export_type: optionalJson(z.literal(Object.values(exportTypes)), {
      description:
        '1 (default): data that everyone in the organization can see; 2: also what users may see who have set `allow_private_data_export`; 3: everything, which by default only owners may export.',
    }),
  },
  response: z.object({ id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'REQUEST_VARIABLE_INVALID'],
})

export const listExports = endpoint({
  ...exports,
  name: 'listExports',
  method: 'GET',
  summary: 'List the exports of the organization, finished or not, with links to their archives',
  response: z.object({ exports: z.array(realmExport) }),
})

export const deleteExport = endpoint({
  ...exports,
  name: 'deleteExport',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  summary: 'Delete the archive of an export',
  pathParameters: { export_id: pathId },
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const getExportArchive = endpoint({
  name: 'getExportArchive',
  owner: 'realm',
  method: 'GET',
  prefix: '',
  path: '/realm_exports/{export_id}/{token}/{filename}',
  auth: 'public',
  summary: 'Get the archive of an export by a valid link',
  pathParameters: { export_id: pathId, token: pathText, filename: pathText },
  answer: 'file',
  response: z.object({}),
})
