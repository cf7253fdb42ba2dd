import { connect } from 'node:net'
import { endpoints, limits, maxFileUploadBytes, resumableUploads } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { Upload, type UploadOptions } from 'tus-js-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { newUsers } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const PATH = '/api/v1/tus'
const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256))
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Uploads in parts, by the client library of the protocol's authors. */
export const resumableUploadTests = (system: () => TestSystem): void => {
  let ada: ApiClient
  let bob: ApiClient
  beforeAll(async () => {
    ;[ada, bob] = await newUsers(system(), 2)
  })
  const authorizationOf = ({ account }: ApiClient) =>
    `Basic ${base64(`${account?.email}:${account?.apiKey}`)}`
  const call = (
    path: string,
    method: string,
    headers: Record<string, string> = {},
    body?: Buffer<ArrayBuffer>,
  ) => ada.fetch(path, { method, headers: { 'tus-resumable': '1.0.0', ...headers }, ...(body && { body }) })
  const begin = async (length = content.length) => {
    const metadata = `filename ${base64('photo.png')},filetype ${base64('image/png')}`
    const answer = await call(PATH, 'POST', { 'upload-length': String(length), 'upload-metadata': metadata })
    expect(answer.status).toBe(201)
    return answer.headers.get('location') ?? ''
  }
  const send = (upload: string, offset: number, body: Buffer<ArrayBuffer>) =>
    call(
      upload,
      'PATCH',
      { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body,
    )
  const offsetOf = async (upload: string) => Number((await call(upload, 'HEAD')).headers.get('upload-offset'))
  /** Uploads the content with the library; resolves with the last answer's body. */
  const uploadWith = (options: Partial<UploadOptions> = {}) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const upload = new Upload(content, {
        endpoint: `${system().baseUrl}${PATH}`,
        headers: { authorization: authorizationOf(ada) },
        metadata: { filename: 'a photo.png', filetype: 'image/png' },
        retryDelays: null,
        onError: reject,
        onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody())),
        ...options,
      })
      upload.start()
    })
  const bytesAt = async (url: unknown) => Buffer.from(await (await ada.fetch(String(url))).arrayBuffer())

  describe('an upload in parts', () => {
    test.each([
      ['in one', Number.POSITIVE_INFINITY],
      ['in several', 70_000],
    ])('%s becomes a file, as an upload in one request', async (_, chunkSize) => {
      const watcher = await watch(ada, { event_types: ['attachment', 'message'] })

      let answer: Record<string, unknown> = {}
      const [events] = await eventsOf(system(), [watcher], async () => {
        answer = await uploadWith({ chunkSize })
      })

      expect(answer).toMatchObject({ result: 'success', filename: 'a photo.png', uri: answer['url'] })
      expect((await bytesAt(answer['url'])).equals(content)).toBe(true)
      expect(events).toMatchObject([
        { type: 'attachment', op: 'add', attachment: { name: 'a photo.png', size: content.length } },
      ])
      await stopWatching([watcher])
    })

    test('continues where a connection broke off', async () => {
      const upload = await begin()
      const { hostname, port } = new URL(system().baseUrl)
      const head = [
        `PATCH ${upload} HTTP/1.1`,
        `host: ${new URL(system().baseUrl).host}`,
        `authorization: ${authorizationOf(ada)}`,
        'tus-resumable: 1.0.0',
        'upload-offset: 0',
        'content-type: application/offset+octet-stream',
        `content-length: ${content.length}`,
      ].join('\r\n')
      const socket = connect(Number(port), hostname)
      await new Promise<void>((resolve) => {
        socket.write(`${head}\r\n\r\n`)
        socket.write(content.subarray(0, 120_000), () => resolve())
      })
      socket.end()
      socket.destroySoon()

      await until(async () => (await offsetOf(upload)) > 0)
      const offset = await offsetOf(upload)
      expect(offset).toBeLessThanOrEqual(120_000)
      let resumedAt: number | null = null
      const answer = await uploadWith({
        uploadUrl: `${system().baseUrl}${upload}`,
        chunkSize: 100_000,
        onProgress: (sent) => {
          resumedAt ??= sent
        },
      })

      expect(resumedAt).toBeGreaterThanOrEqual(offset)
      expect((await bytesAt(answer['url'])).equals(content)).toBe(true)
    })

    test('says for a while that it has ended, and repeats the answer that a client has missed', async () => {
      const upload = await begin(5)
      const answer = await (await send(upload, 0, Buffer.from('01234'))).json()

      const state = await call(upload, 'HEAD')
      expect([state.status, state.headers.get('upload-offset'), state.headers.get('upload-length')]).toEqual([
        ...[200, '5', '5'],
      ])
      expect(await (await send(upload, 5, Buffer.from(''))).json()).toEqual(answer)
      expect((await send(upload, 0, Buffer.from('01234'))).status).toBe(409)
      expect((await call(upload, 'DELETE')).status).toBe(404)
      const { upload_space_used: _, attachments } = await ada.call(endpoints.messaging.listAttachments, {})
      const { url } = answer as { url: string }
      expect(attachments.filter(({ path_id }) => url.endsWith(path_id))).toHaveLength(1)
    })

    test('is described to clients, also in browsers', async () => {
      const { status, headers } = await fetch(`${system().baseUrl}${PATH}`, { method: 'OPTIONS' })

      expect([status, Object.fromEntries(headers)]).toMatchObject([
        204,
        {
          'tus-resumable': '1.0.0',
          'tus-version': '1.0.0',
          'tus-extension': 'creation,expiration,termination',
          'tus-max-size': String(maxFileUploadBytes),
          'access-control-allow-methods': 'POST, OPTIONS',
          'access-control-allow-headers': expect.stringContaining('upload-metadata'),
        },
      ])
      const begun = await begin(5)
      const exposed = (await call(begun, 'HEAD')).headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['location', 'upload-offset', 'upload-length', 'tus-resumable']),
      )
      const other = await fetch(`${system().baseUrl}/api/v1/messages`, { method: 'OPTIONS' })
      expect(other.headers.has('tus-version')).toBe(false)
    })

    test('keeps what arrived, and says how much', async () => {
      const upload = await begin(10)

      const first = await send(upload, 0, Buffer.from('01234'))
      expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '5'])
      const state = await call(upload, 'HEAD')
      expect(Object.fromEntries(state.headers)).toMatchObject({
        'tus-resumable': '1.0.0',
        'upload-offset': '5',
        'upload-length': '10',
        'upload-expires': expect.stringContaining('GMT'),
        'cache-control': 'no-store',
      })
      const last = await send(upload, 5, Buffer.from('56789'))
      expect(last.status).toBe(200)
      expect(String(await bytesAt(((await last.json()) as { url: string }).url))).toBe('0123456789')
    })

    test('takes each part once, also of several at once', async () => {
      const upload = await begin(10)
      const answers = await Promise.all([1, 2, 3].map(() => send(upload, 0, Buffer.from('01234'))))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409, 409])

      const ends = await Promise.all([1, 2, 3].map(() => send(upload, 5, Buffer.from('56789'))))
      expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status } of ends) expect([200, 404, 409]).toContain(status)
    })

    test('is refused if it is not of the protocol, or not the next part', async () => {
      const upload = await begin(10)
      const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      const body = Buffer.from('01234')

      expect((await call(upload, 'PATCH', { ...part, 'tus-resumable': '0.2.2' }, body)).status).toBe(412)
      expect((await call(upload, 'PATCH', { ...part, 'content-type': 'image/png' }, body)).status).toBe(415)
      expect((await send(upload, 3, body)).status).toBe(409)
      expect((await send(upload, 0, Buffer.from('01234567890'))).status).toBe(400)
      expect((await call(upload, 'PATCH', { ...part, 'upload-offset': '-1' }, body)).status).toBe(400)
      expect(await offsetOf(upload)).toBe(0)
    })

    test('belongs to its user, until it is cancelled', async () => {
      const upload = await begin(10)
      const headers = { 'tus-resumable': '1.0.0' }

      expect((await bob.fetch(upload, { method: 'HEAD', headers })).status).toBe(404)
      expect((await bob.fetch(upload, { method: 'DELETE', headers })).status).toBe(404)
      await send(upload, 0, Buffer.from('01234'))
      expect((await call(upload, 'DELETE')).status).toBe(204)
      expect((await call(upload, 'HEAD')).status).toBe(404)
      expect((await send(upload, 5, Buffer.from('56789'))).status).toBe(404)
    })

    test.each([
      ['larger than a file may be', String(limits.maxFileUploadMib * 1024 * 1024 + 1), 413],
      ['of an unknown length', 'x', 400],
    ])('is refused if it is %s', async (_, length, status) => {
      expect((await call(PATH, 'POST', { 'upload-length': length })).status).toBe(status)
    })

    test('of an empty file ends as it begins, as an upload in one request', async () => {
      const upload = (size: number) => ({ uploadSize: size, metadata: { filename: 'empty.txt' } })
      const answer = await uploadWith({ ...upload(0) })

      expect(answer).toMatchObject({ result: 'success', filename: 'empty.txt', uri: answer['url'] })
      expect(await bytesAt(answer['url'])).toHaveLength(0)
      const begun = await call(PATH, 'POST', { 'upload-length': '0' })
      expect([begun.status, begun.headers.get('upload-offset')]).toEqual([201, '0'])
      const state = await call(begun.headers.get('location') ?? '', 'HEAD')
      expect([state.headers.get('upload-offset'), state.headers.get('upload-length')]).toEqual(['0', '0'])
    })

    test('has the version of the protocol in every answer, errors included', async () => {
      const upload = await begin(5)
      const answers = [
        await call(PATH, 'POST', { 'upload-length': 'x' }),
        await call(PATH, 'POST', { 'tus-resumable': '0.2.2' }),
        await fetch(`${system().baseUrl}${upload}`, { method: 'HEAD' }),
        await call(`${PATH}/none`, 'HEAD'),
        await call(upload, 'PUT'),
        await call(upload, 'HEAD'),
        await send(upload, 3, Buffer.from('34')),
      ]

      expect(answers.map(({ status, headers }) => [status, headers.get('tus-resumable')])).toEqual(
        [400, 412, 401, 404, 405, 200, 409].map((status) => [status, '1.0.0']),
      )
      const other = await ada.fetch('/api/v1/messages/1', { method: 'DELETE' })
      expect(other.headers.has('tus-resumable')).toBe(false)
    })

    test('takes a method in a header, for clients that can only POST', async () => {
      const answer = await uploadWith({ overridePatchMethod: true, chunkSize: 200_000 })
      expect((await bytesAt(answer['url'])).equals(content)).toBe(true)

      const upload = await begin(5)
      const post = (method: string) => call(upload, 'POST', { 'x-http-method-override': method })
      expect((await post('PUT')).status).toBe(405)
      expect((await post('DELETE')).status).toBe(204)
      expect((await call(upload, 'HEAD')).status).toBe(404)
    })

    test('is one of a few that a user may have begun', async () => {
      const [user] = await newUsers(system(), 1)
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10' }
      const statuses: number[] = []
      for (let count = 0; count <= resumableUploads.maxOpen; count++)
        statuses.push((await user.fetch(PATH, { method: 'POST', headers })).status)

      expect(statuses).toEqual([...Array.from({ length: resumableUploads.maxOpen }, () => 201), 400])
    })
  })
}
