import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { BlobStore } from './blob-store.ts'
import { createFolderStore } from './folder-store.ts'

/** What is set to nothing, as composing files often does, isn't set. */
const unlessEmpty = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

/** Variables of a service that keeps files. */
export const blobStoreVariables = {
  UPLOADS_URL: z
    .url({ protocol: /^(file|s3)$/ })
    .describe(
      'Where files are kept: file:///a/folder, which all replicas must share, or s3://bucket or s3://bucket/prefix.',
    ),
  UPLOADS_S3_ENDPOINT: unlessEmpty(z.url({ protocol: /^https?$/ }).optional()).describe(
    'Address of a server that speaks S3; AWS itself when absent.',
  ),
  UPLOADS_S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  UPLOADS_S3_ACCESS_KEY_ID: unlessEmpty(z.string().optional()).describe(
    'With UPLOADS_S3_SECRET_ACCESS_KEY; without, a role or what AWS tools use else.',
  ),
  UPLOADS_S3_SECRET_ACCESS_KEY: unlessEmpty(z.string().optional()).describe(
    'Goes with UPLOADS_S3_ACCESS_KEY_ID.',
  ),
  UPLOADS_S3_PATH_STYLE: unlessEmpty(z.stringbool().optional()).describe(
    'The bucket stands in the path of the URL; by default where UPLOADS_S3_ENDPOINT is set.',
  ),
  UPLOADS_SPOOL_DIR: z
    .string()
    .default(join(tmpdir(), 'tms-spool'))
    .describe('A local folder, on a disk, where files wait on their way to S3.'),
} as const

export type BlobStoreConfig = z.output<z.ZodObject<typeof blobStoreVariables>>

/**
 * Opens the store that the variables name; connects to nothing yet. `tls` says how an S3 server is known. Throws when they
 * don't fit together.
 */
export async function openBlobStore(
  config: BlobStoreConfig,
  tls: { readonly ca?: string | string[] } = {},
): Promise<BlobStore> {
  const url = new URL(config.UPLOADS_URL)
  if (url.protocol === 'file:') return createFolderStore(fileURLToPath(url))
  const accessKeyId = config.UPLOADS_S3_ACCESS_KEY_ID
  const secretAccessKey = config.UPLOADS_S3_SECRET_ACCESS_KEY
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new Error('UPLOADS_S3_ACCESS_KEY_ID and UPLOADS_S3_SECRET_ACCESS_KEY go together')
  }
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  // Only here: who keeps files in a folder pays neither the time nor the memory that the client takes.
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store({
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    endpoint: config.UPLOADS_S3_ENDPOINT,
    region: config.UPLOADS_S3_REGION,
    ca: tls.ca,
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? { accessKeyId, secretAccessKey }
        : undefined,
    usesPathStyle: config.UPLOADS_S3_PATH_STYLE ?? config.UPLOADS_S3_ENDPOINT !== undefined,
    spoolFolder: config.UPLOADS_SPOOL_DIR,
  })
}
