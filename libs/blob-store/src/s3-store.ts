import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { type BlobStore, checkName } from './blob-store.ts'
import { createIncomingFolder } from './incoming-folder.ts'
import { endIfSilent, type S3Deadlines, s3Deadlines, uploadFile } from './s3-deadlines.ts'

export interface S3Settings {
  readonly bucket: string
  /** Prepended to every name; empty, or ends with a slash. */
  readonly prefix: string
  /** Undefined for AWS itself. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Trusted certificate authorities (PEM); undefined for the public ones. */
  readonly ca: string | string[] | undefined
  /** Undefined to use the environment's: a role, a profile, AWS_… variables. */
  readonly credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Whether the bucket is in the URL's path instead of its host name; servers other than AWS need this. */
  readonly usesPathStyle: boolean
  /** A local folder for files that are still being received. */
  readonly spoolFolder: string
}

/**
 * Stores blobs as objects in a bucket of S3 or of a compatible server. A blob is received into a local file first: S3
 * needs to know its length, and a slow or disconnected client then costs neither memory, nor a connection to S3, nor
 * leftover parts there.
 */
export function createS3Store(settings: S3Settings, deadlines: S3Deadlines = s3Deadlines): BlobStore {
  const { bucket, endpoint, region, credentials, ca } = settings
  const incoming = createIncomingFolder(settings.spoolFolder)
  const client = new S3Client({
    region,
    forcePathStyle: settings.usesPathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    requestHandler: {
      connectionTimeout: deadlines.connectMs,
      requestTimeout: deadlines.answerMs,
      throwOnRequestTimeout: true,
      httpAgent: { timeout: deadlines.idleMs },
      httpsAgent: { timeout: deadlines.idleMs, ...(ca === undefined ? {} : { ca }) },
    },
    ...(credentials === undefined ? {} : { credentials }),
    // Servers other than AWS don't support checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const objectOf = (name: string) => ({ Bucket: bucket, Key: settings.prefix + checkName(name) })
  return {
    put: (name, content, { contentType }) =>
      incoming.receive(content, async (path) => {
        const { size } = await stat(path)
        const file = createReadStream(path)
        const body = { Body: file, ContentLength: size, ContentType: contentType }
        const put = new PutObjectCommand({ ...objectOf(name), ...body })
        // The whole upload may take any time, as long as it progresses.
        await uploadFile(file, deadlines.silentMs, (abortSignal) =>
          client.send(put, { abortSignal, requestTimeout: 0 }),
        )
        return size
      }),
    get: async (name, range) => {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const found = await client
        .send(new GetObjectCommand({ ...objectOf(name), ...part }))
        .catch(nullIfMissing)
      const content = found?.Body as IncomingMessage | undefined
      return content === undefined ? null : endIfSilent(content, deadlines.silentMs)
    },
    stat: async (name) => {
      const found = await client.send(new HeadObjectCommand(objectOf(name))).catch(nullIfMissing)
      return found && { size: found.ContentLength ?? 0 }
    },
    delete: async (name) => {
      await client.send(new DeleteObjectCommand(objectOf(name)))
    },
    list: (prefix) => listBelow(client, bucket, settings.prefix, prefix),
    sweep: () => incoming.sweep(),
    close: () => client.destroy(),
  }
}

async function* listBelow(
  client: S3Client,
  bucket: string,
  storePrefix: string,
  prefix: string,
): AsyncIterable<string> {
  let after: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: storePrefix + prefix,
        ...(after === undefined ? {} : { ContinuationToken: after }),
      }),
    )
    for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key.slice(storePrefix.length)
    after = page.NextContinuationToken
  } while (after !== undefined)
}

function nullIfMissing(err: unknown): null {
  if (err instanceof Error && (err.name === 'NoSuchKey' || err.name === 'NotFound')) return null
  throw err
}
