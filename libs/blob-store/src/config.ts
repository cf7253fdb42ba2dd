import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { BlobStore } from './blob-store.ts'
import { createFolderStore } from './folder-store.ts'

function isFolderOrBucketUrl(text: string): boolean {
  if (!URL.canParse(text)) return true
  const { protocol, hostname, pathname } = new URL(text)
  return protocol === 's3:' ? hostname !== '' : hostname === '' && pathname !== '/'
}

/** Environment variables of a service that stores files. */
export const blobStoreVariables = {
  UPLOADS_URL: z
    .url({ protocol: /^(file|s3)$/ })
    .refine(
      isFolderOrBucketUrl,
      'names neither a folder, such as file:///a/folder, nor a bucket, such as s3://bucket',
    )
    .describe(
      'Where files are kept: file:///a/folder, which all replicas must share, or s3://bucket or s3://bucket/prefix.',
    ),
  UPLOADS_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of a server that speaks S3; AWS itself when absent.'),
  UPLOADS_S3_REGION: z.string().default('us-east-1').describe('Region of the bucket.'),
  UPLOADS_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe(
      'Access key of S3, with UPLOADS_S3_SECRET_ACCESS_KEY. Without both, credentials come from a role or another default source of AWS tools.',
    )
    .meta({ needs: ['UPLOADS_S3_SECRET_ACCESS_KEY'] }),
  UPLOADS_S3_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .describe('Goes with UPLOADS_S3_ACCESS_KEY_ID.')
    .meta({ needs: ['UPLOADS_S3_ACCESS_KEY_ID'] }),
  UPLOADS_S3_PATH_STYLE: z
    .stringbool()
    .optional()
    .describe('The bucket stands in the path of the URL; by default where UPLOADS_S3_ENDPOINT is set.'),
  UPLOADS_SPOOL_DIR: z
    .string()
    .default(join(tmpdir(), 'tms-spool'))
    .describe('A local folder, on a disk, where files wait on their way to S3.'),
} as const

export type BlobStoreConfig = z.output<z.ZodObject<typeof blobStoreVariables>>

/** Opens the configured store without connecting to it. `tls` has the authorities that an S3 server is verified with. */
export async function openBlobStore(
  config: BlobStoreConfig,
  tls: { readonly ca?: string | string[] } = {},
): Promise<BlobStore> {
  const url = new URL(config.UPLOADS_URL)
  if (url.protocol === 'file:') return createFolderStore(fileURLToPath(url))
  const accessKeyId = config.UPLOADS_S3_ACCESS_KEY_ID
  const secretAccessKey = config.UPLOADS_S3_SECRET_ACCESS_KEY
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  // Imported only here: a service that stores files in a folder doesn't pay for loading the S3 client.
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
