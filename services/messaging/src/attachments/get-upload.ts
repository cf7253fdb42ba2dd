import { AppError } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { findResumableUpload, type ResumableUpload } from './resumable-upload.queries.ts'

/** The caller's own upload in parts, which may have ended within the hour. Throws NOT_FOUND if there is none, or it has expired. */
export async function getUpload(db: Queryable, { userId }: Caller, id: string): Promise<ResumableUpload> {
  const upload = await findResumableUpload(db, userId, id)
  if (!upload) throw new AppError('NOT_FOUND', { message: 'There is no such upload, or it has ended' })
  return upload
}
