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
import { incomingFolder } from './incoming-folder.ts'
import { endIfSilent, type S3Deadlines, s3Deadlines, uploading } from './s3-deadlines.ts'

export interface S3Settings {
  readonly bucket: string
  /** Before every name; empty, or ending in a slash. */
  readonly prefix: string
  /** Undefined for AWS itself. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Authorities (PEM) that are trusted; undefined for the public ones. */
  readonly ca: string | string[] | undefined
  /** Undefined for what the surroundings give: a role, a profile, AWS_… variables. */
  readonly credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** The bucket in the path rather than in the host name, as servers other than AWS want it. */
  readonly usesPathStyle: boolean
  /** A local folder for files on their way. */
  readonly spoolFolder: string
}

/**
 * Blobs as objects of a bucket of S3, or of a server that speaks like it. What comes in waits in a local file until
 * it is complete: S3 wants to know its length first, and a client that is slow, or leaves, then costs neither memory
 * nor a connection to S3, nor parts that are left over there.
 */
export function createS3Store(settings: S3Settings, deadlines: S3Deadlines = s3Deadlines): BlobStore {
  const { bucket, endpoint, region, credentials, ca } = settings
  const incoming = incomingFolder(settings.spoolFolder)
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
    // Servers other than AWS know no checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const placeOf = (name: string) => ({ Bucket: bucket, Key: settings.prefix + checkName(name) })
  return {
    put: (name, content, { contentType }) =>
      incoming.receive(content, async (path) => {
        const { size } = await stat(path)
        const file = createReadStream(path)
        const body = { Body: file, ContentLength: size, ContentType: contentType }
        const put = new PutObjectCommand({ ...placeOf(name), ...body })
        // However long all of it takes, as long as it goes on.
        await uploading(file, deadlines.silentMs, (abortSignal) =>
          client.send(put, { abortSignal, requestTimeout: 0 }),
        )
        return size
      }),
    get: async (name, range) => {
      const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }
      const found = await client
        .send(new GetObjectCommand({ ...placeOf(name), ...part }))
        .catch(nullIfMissing)
      const content = found?.Body as IncomingMessage | undefined
      return content === undefined ? null : endIfSilent(content, deadlines.silentMs)
    },
    stat: async (name) => {
      const found = await client.send(new HeadObjectCommand(placeOf(name))).catch(nullIfMissing)
      return found && { size: found.ContentLength ?? 0 }
    },
    delete: async (name) => {
      await client.send(new DeleteObjectCommand(placeOf(name)))
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
