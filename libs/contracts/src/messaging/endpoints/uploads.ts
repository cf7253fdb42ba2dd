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
  tokenAccess: 'send',
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
  tokenAccess: 'send',
  summary: 'Delete a file that you uploaded',
  pathParameters: { attachment_id: pathId },
  response: z.object({}),
})

/** Uploads in parts, by the protocol tus 1.0: https://tus.io/protocols/resumable-upload */
const resumable = { owner: 'messaging', auth: 'user', answer: 'headers', response: z.object({}) } as const
const uploadId = { upload_id: pathText }

export const createResumableUpload = endpoint({
  ...resumable,
  name: 'createResumableUpload',
  method: 'POST',
  path: '/tus',
  tokenAccess: 'send',
  summary: 'Begin an upload in parts; its length and its name are in headers',
  errors: ['REALM_UPLOAD_QUOTA'],
})

export const getResumableUpload = endpoint({
  ...resumable,
  name: 'getResumableUpload',
  method: 'GET',
  path: '/tus/{upload_id}',
  summary: 'Get how much of an upload in parts has arrived, in headers',
  pathParameters: uploadId,
})

export const continueResumableUpload = endpoint({
  ...resumable,
  name: 'continueResumableUpload',
  method: 'PATCH',
  path: '/tus/{upload_id}',
  tokenAccess: 'send',
  summary: 'Send the next part of an upload; with the last one, the answer is that of `POST /user_uploads`',
  pathParameters: uploadId,
  body: 'bytes',
  errors: ['REALM_UPLOAD_QUOTA'],
})

export const cancelResumableUpload = endpoint({
  ...resumable,
  name: 'cancelResumableUpload',
  method: 'DELETE',
  path: '/tus/{upload_id}',
  tokenAccess: 'send',
  summary: 'Cancel an upload in parts',
  pathParameters: uploadId,
})
