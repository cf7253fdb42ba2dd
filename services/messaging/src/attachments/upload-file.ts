import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { checkQuota, storeUpload } from './store-upload.ts'

/** Stores an uploaded file. */
export const handleUploadFile: Handler<typeof endpoints.messaging.uploadFile, Context> = async ({
  caller,
  context,
  requestId,
  receiveFile,
}) => {
  await checkQuota(context, caller, 1)
  return storeUpload(context, { caller, requestId }, receiveFile)
}
