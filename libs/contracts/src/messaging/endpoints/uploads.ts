import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { pathId, pathRest, pathText } from '../../declarations/parameter.ts'
import { attachmentRecord } from '../records.ts'

export const uploadFile = endpoint({
  name: 'uploadFile',
  owner: 'messaging',
  method: 'POST',
  path: '/user_uploads',
  auth: 'user',
  summary: 'Upload a file, to be linked in messages',
  body: 'file',
  response: z.object({
    url: z.string(),
    filename: z.string().describe('The name under which messages show the file.'),
    /** Deprecated: the same as `url`. */
    uri: z.string(),
  }),
  errors: ['REALM_UPLOAD_QUOTA'],
})

export const getTemporaryUrl = endpoint({
  name: 'getTemporaryUrl',
  owner: 'messaging',
  method: 'GET',
  path: '/user_uploads/{realm_id}/{filename}',
  auth: 'user',
  summary: 'Get a URL that gives anyone access to an uploaded file for a minute',
  pathParameters: { realm_id: pathId, filename: pathRest },
  response: z.object({ url: z.string() }),
})

export const getFile = endpoint({
  name: 'getFile',
  owner: 'messaging',
  method: 'GET',
  prefix: '',
  path: '/user_uploads/{realm_id}/{shard}/{filename}',
  auth: 'user-or-spectator',
  summary: 'Get an uploaded file',
  pathParameters: { realm_id: pathId, shard: pathText, filename: pathRest },
  answer: 'file',
  response: z.object({}),
})

export const getTemporaryFile = endpoint({
  name: 'getTemporaryFile',
  owner: 'messaging',
  method: 'GET',
  prefix: '',
  path: '/user_uploads/temporary/{token}/{filename}',
  auth: 'public',
  summary: 'Get an uploaded file by its temporary URL',
  pathParameters: { token: pathText, filename: pathText },
  answer: 'file',
  response: z.object({}),
})

export const listAttachments = endpoint({
  name: 'listAttachments',
  owner: 'messaging',
  method: 'GET',
  path: '/attachments',
  auth: 'user',
  summary: 'List the files that you uploaded',
  response: z.object({
    attachments: z.array(attachmentRecord),
    /** Bytes of all files of the organization. */
    upload_space_used: z.int(),
  }),
})

export const deleteAttachment = endpoint({
  name: 'deleteAttachment',
  owner: 'messaging',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  auth: 'user',
  summary: 'Delete a file that you uploaded',
  pathParameters: { attachment_id: pathId },
  response: z.object({}),
})
