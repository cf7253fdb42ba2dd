import { connect, type Socket } from 'node:net'
import { endpoints, limits } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { countStored, listOwn, memoryOfMessaging, temporaryUrlOf, uploadTo } from '../support/files.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, watch } from '../support/watch.ts'

const MIB = 1024 * 1024
const { deleteAttachment, editMessage } = endpoints.messaging

const TOO_LARGE = `The file is larger than the allowed limit of ${limits.maxFileUploadMib} MiB`

export const uploadTests = (system: () => TestSystem): void => {
  let ada: ApiClient
  let bob: ApiClient
  beforeAll(async () => {
    ;[ada, bob] = await newUsers(system(), 2)
  })
  const link = (url: string) => `See [this](${url}).`
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

  describe('an upload', () => {
    test('returns a URL that serves the same bytes to its owner', async () => {
      const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256))

      const answer = await ada.upload({ name: 'photo.png', content, type: 'image/png' })
      const url = String(answer.body['url'])
      const file = await ada.fetch(url)

      expect(answer).toMatchObject(success({ uri: url, filename: 'photo.png' }))
      expect(url).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/photo\.png$/)
      expect(file.status).toBe(200)
      expect((await bytesOf(file)).equals(content)).toBe(true)
      expect(Object.fromEntries(file.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': '300000',
        'content-disposition': 'inline; filename="photo.png"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cache-control': 'private, no-cache',
        'accept-ranges': 'bytes',
      })
    })

    test('may be empty', async () => {
      const file = await ada.fetch(await uploadTo(ada, { content: '' }))

      expect([file.status, await file.text()]).toEqual([200, ''])
    })

    test.each([
      ['a report.pdf', 'a-report.pdf'],
      ['../../../etc/passwd', 'passwd'],
      ['Übersicht „neu“.txt', 'Übersicht-neu.txt'],
      ['絵文字🦉.png', '絵文字.png'],
      ['a\u202egpj.exe', 'agpj.exe'],
      ['%2e%2e%2fx.png', '2e2e2fx.png'],
      ['<img src=x onerror=alert(1)>.svg', 'img-srcx-onerroralert1.svg'],
      [`${'x'.repeat(1_000)}.tar`, `${'x'.repeat(116)}.tar`],
      ['...', 'uploaded-file'],
    ])('called %j is stored as %s, and found by that name', async (name, expected) => {
      const url = await uploadTo(ada, { name })

      expect(url.split('/').at(-1)).toBe(expected)
      expect((await ada.fetch(encodeURI(url))).status).toBe(200)
      expect((await ada.fetch(await temporaryUrlOf(ada, encodeURI(url)))).status).toBe(200)
    })

    test.each([
      ['image/svg+xml', 'drawing.svg'],
      ['text/html', 'page.html'],
      ['application/xhtml+xml', 'page.xhtml'],
      ['text/javascript', 'script.js'],
    ])('of type %s is never displayed by a browser', async (type, name) => {
      const file = await ada.fetch(await uploadTo(ada, { name, type, content: '<script>' }))

      expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    })

    test('contains exactly one file', async () => {
      const file = { name: 'a.txt', content: 'x'.repeat(10_000) }
      const before = await countStored(system())

      expect(await ada.upload()).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ada.upload(file, file)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ada.request('POST', '/user_uploads', [['x', 'y']])).toMatchObject(refusal('BAD_REQUEST'))
      await until(async () => (await countStored(system())) === before)
    })

    test('of 25 MiB is accepted, and one byte more is too large and leaves nothing behind', async () => {
      const largest = new Uint8Array(limits.maxFileUploadMib * MIB)
      const before = await countStored(system())

      const refused = await ada.upload({ name: 'a', content: new Uint8Array(largest.length + 1) })
      const url = await uploadTo(ada, { content: largest })

      expect(refused).toMatchObject(refusal('BAD_REQUEST', { msg: TOO_LARGE }))
      expect((await ada.fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(`${25 * MIB}`)
      await until(async () => (await countStored(system())) === before + 1)
    })

    test('that is far too large is rejected before it is sent', async () => {
      const answer = await ada.upload({ name: 'a', content: new Uint8Array(40 * MIB) })

      expect(answer).toMatchObject(refusal('BAD_REQUEST', { msg: TOO_LARGE }))
    })

    test('that is interrupted leaves nothing behind', async () => {
      const before = await countStored(system())
      const files = (await listOwn(ada)).attachments.length

      const socket = await startUpload(system(), ada, 5 * MIB)
      socket.write(Buffer.alloc(2 * MIB))
      await until(async () => (await countStored(system())) === before + 1)
      socket.destroy()

      await until(async () => (await countStored(system())) === before)
      expect((await listOwn(ada)).attachments).toHaveLength(files)
    })

    test('of 20 MiB, several at once and some slow, needs little memory', async () => {
      const content = new Uint8Array(20 * MIB)
      await uploadTo(ada, { content })
      const before = await memoryOfMessaging(system())

      const slow = await Promise.all([1, 2].map(() => startUpload(system(), ada, 20 * MIB)))
      for (const socket of slow) socket.write(Buffer.alloc(10 * MIB))
      await Promise.all(Array.from({ length: 6 }, () => uploadTo(bob, { content })))
      const growth = (await memoryOfMessaging(system())).map((bytes, i) => bytes - (before[i] ?? 0))
      for (const socket of slow) socket.destroy()

      // In memory, they would be 140 MiB, plus copies of them.
      expect(Math.max(...growth)).toBeLessThan(50 * MIB)
      for (const { id } of (await listOwn(bob)).attachments) {
        await bob.call(deleteAttachment, { attachment_id: id })
      }
    })
  })

  describe('a file', () => {
    let url: string
    beforeAll(async () => {
      url = await uploadTo(ada, { content: '0123456789', name: 'digits.txt' })
    })

    test('has a URL without credentials for a minute', async () => {
      const temporary = await temporaryUrlOf(ada, url)
      const file = await system().anonymous.fetch(temporary)

      expect(temporary).toMatch(/^\/user_uploads\/temporary\/[\w.-]+\/digits\.txt$/)
      expect([file.status, await file.text()]).toEqual([200, '0123456789'])
    })

    test('rejects a forged temporary URL', async () => {
      const [, , kind, token = '', name] = (await temporaryUrlOf(ada, url)).split('/')
      for (const other of ['x', `${token}x`, token.replace(/\..*\./, '.e30.')]) {
        const answer = await system().anonymous.fetch(`/user_uploads/${kind}/${other}/${name}`)

        expect(answer.status).toBe(404)
      }
    })

    test.each([
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-2', 206, '89', 'bytes 8-9/10'],
      ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
      ['bytes=-10', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=-1000', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=-0', 416, '', 'bytes */10'],
      ['bytes=10-', 416, '', 'bytes */10'],
      ['bytes=5-2', 200, '0123456789', null],
      ['bytes=-', 200, '0123456789', null],
      ['bytes=0-1,4-5', 200, '0123456789', null],
      ['lines=1-2', 200, '0123456789', null],
      ['bytes=x', 200, '0123456789', null],
    ])('requested as %s answers %i %j', async (range, status, text, contentRange) => {
      const part = await ada.fetch(url, { headers: { range } })

      expect([part.status, await part.text()]).toEqual([status, text])
      expect(part.headers.get('content-range')).toBe(contentRange)
    })

    test('is not sent again to a client that has it', async () => {
      const etag = (await ada.fetch(url)).headers.get('etag') ?? ''
      const range = 'bytes=0-3'

      expect((await ada.fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
      expect((await ada.fetch(url, { headers: { 'if-range': etag, range } })).status).toBe(206)
      expect((await ada.fetch(url, { headers: { 'if-range': '"another"', range } })).status).toBe(200)
    })

    test('answers HEAD without the body', async () => {
      const head = await ada.fetch(url, { method: 'HEAD' })

      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
    })

    test.each([
      '/user_uploads/1/a0/xxxxxxxxxxxxxxxxxxxxxxxx/none.txt',
      '/user_uploads/9223372036854775808/a0/x/none.txt',
      '/user_uploads/1/..%2f..%2f..%2fetc/passwd',
      '/user_uploads/1/%00/x',
    ])('that does not exist, such as %s, is not found', async (path) => {
      expect([400, 404]).toContain((await ada.fetch(path)).status)
      expect([400, 404]).toContain((await ada.request('GET', path)).status)
    })
  })

  describe('access to a file', () => {
    let member: ApiClient
    let late: ApiClient
    beforeAll(async () => {
      ;[member, late] = await newUsers(system(), 2)
    })
    const join = (client: ApiClient, name: string) =>
      ada.call(endpoints.messaging.subscribe, {
        subscriptions: [{ name }],
        principals: [client.userId],
      })

    test.each<[string, (url: string) => Promise<unknown>, ('ada' | 'member' | 'late')[]]>([
      ['in no message', async () => {}, ['ada']],
      [
        'in a public channel',
        async (url) => sendToChannel(ada, (await newChannel(ada)).name, link(url)),
        ['ada', 'member', 'late'],
      ],
      ['in a direct message', (url) => sendDirectly(ada, [member], link(url)), ['ada', 'member']],
      [
        'in a private channel with shared history',
        async (url) => {
          const { name } = await newChannel(ada, { isPrivate: true, hasSharedHistory: true })
          await sendToChannel(ada, name, link(url))
          await join(late, name)
        },
        ['ada', 'late'],
      ],
      [
        'in a private channel without',
        async (url) => {
          const settings = { others: [member], isPrivate: true, hasSharedHistory: false }
          const { name } = await newChannel(ada, settings)
          await sendToChannel(ada, name, link(url))
          await join(late, name)
        },
        ['ada', 'member'],
      ],
    ])('%s', async (_, post, expected) => {
      const url = await uploadTo(ada)

      await post(url)

      const allowed: string[] = []
      for (const [name, client] of Object.entries({ ada, member, late })) {
        const statuses = [(await client.fetch(url)).status, (await client.request('GET', url)).status]
        expect(statuses[0]).toBe(statuses[1])
        if (statuses[0] === 200) allowed.push(name)
        else expect(statuses[0]).toBe(404)
      }
      expect(allowed).toEqual(expected)
      expect((await system().anonymous.fetch(url)).status).toBe(401)
    })

    test('is not changed by a user without access who links it', async () => {
      const url = await uploadTo(ada)

      await sendDirectly(bob, [member], link(url))
      await sendToChannel(bob, (await newChannel(bob)).name, link(url))

      expect((await bob.fetch(url)).status).toBe(404)
      expect((await member.fetch(url)).status).toBe(404)
      expect((await listOwn(ada)).attachments.at(-1)?.messages).toEqual([])
    })

    test('is extended by a user with access who links it', async () => {
      const url = await uploadTo(ada)

      await sendDirectly(ada, [member], link(url))
      await sendDirectly(member, [late], link(url))

      expect((await late.fetch(url)).status).toBe(200)
    })
  })

  describe('attachments', () => {
    test('are listed for their owner, with the messages that link them', async () => {
      const [carol] = await newUsers(system(), 1)
      const startedAt = Date.now() - 60_000
      const url = await uploadTo(carol, { name: 'Über uns.txt', content: 'x'.repeat(1_000) })
      const id = await sendDirectly(carol, [ada], `${link(url)} Or ${system().baseUrl}${url}`)

      const listed = await listOwn(carol)

      expect(listed.attachments).toEqual([
        {
          id: expect.any(Number),
          name: 'Über uns.txt',
          path_id: url.replace('/user_uploads/', ''),
          size: 1_000,
          create_time: expect.any(Number),
          messages: [{ id, date_sent: expect.any(Number) }],
        },
      ])
      const [attachment] = listed.attachments
      expect(attachment?.create_time).toBeGreaterThan(startedAt)
      expect(attachment?.messages[0]?.date_sent).toBeGreaterThan(startedAt)
      expect(listed.upload_space_used).toBeGreaterThanOrEqual(1_000)
    })

    test('whose last link an edit removes are returned to their owner', async () => {
      const [kept, gone, linkedTwice] = [await uploadTo(ada), await uploadTo(ada), await uploadTo(ada)]
      const bobs = await uploadTo(bob)
      await sendDirectly(bob, [ada], link(bobs))
      await sendDirectly(ada, [bob], link(linkedTwice))
      const texts = [kept, gone, linkedTwice, bobs].map(link)
      const message_id = await sendDirectly(ada, [bob], texts.join('\n'))

      const { detached_uploads } = await ada.call(editMessage, { message_id, content: link(kept) })

      expect(detached_uploads).toEqual([
        expect.objectContaining({ path_id: gone.replace('/user_uploads/', ''), messages: [] }),
      ])
      const again = await ada.call(editMessage, { message_id, content: `${link(kept)} ${link(gone)}` })
      expect(again.detached_uploads).toEqual([])
    })

    test('are deleted only by their owner, with the file, even if a message links it', async () => {
      const stored = await countStored(system())
      const url = await uploadTo(ada)
      await sendDirectly(ada, [bob], link(url))
      const { attachments, upload_space_used } = await listOwn(ada)
      const attachment_id = attachments.at(-1)?.id ?? 0

      expect(await bob.send(deleteAttachment, { attachment_id })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ada.send(deleteAttachment, { attachment_id })).toMatchObject(success())
      expect(await ada.send(deleteAttachment, { attachment_id })).toMatchObject(refusal('BAD_REQUEST'))

      expect((await ada.fetch(url)).status).toBe(404)
      expect((await listOwn(ada)).upload_space_used).toBe(upload_space_used - 'hello'.length)
      await until(async () => (await countStored(system())) === stored)
    })

    test('are delivered when they are added, linked and removed', async () => {
      const watchers = [await watch(ada), await watch(bob)]
      let url = ''
      let id = 0

      const [ownEvents, others] = await eventsOf(system(), watchers, async () => {
        url = await uploadTo(ada)
        id = await sendDirectly(ada, [ada], link(url))
        const { attachments } = await listOwn(ada)
        await ada.call(deleteAttachment, { attachment_id: attachments.at(-1)?.id ?? 0 })
      })
      await stopWatching(watchers)

      const record = { path_id: url.replace('/user_uploads/', ''), name: 'a file.txt', size: 5 }
      const upload_space_used = expect.any(Number)
      expect(ownEvents?.filter(({ type }) => type === 'attachment')).toMatchObject([
        { op: 'add', attachment: { ...record, messages: [] }, upload_space_used },
        { op: 'update', attachment: { ...record, messages: [{ id }] }, upload_space_used },
        { op: 'remove', attachment: { id: expect.any(Number) }, upload_space_used },
      ])
      expect(others?.filter(({ type }) => type === 'attachment')).toEqual([])
    })

    test('are limited by the quota of the organization, which register returns', async () => {
      const [dora] = await newUsers(system(), 1)
      const state = await dora.call(endpoints.events.register, { fetch_event_types: ['realm'] })
      const file = { name: 'large', content: new Uint8Array(25 * MIB) }

      let answer = await dora.upload(file)
      for (let i = 0; i < 8 && answer.status === 200; i++) answer = await dora.upload(file)
      const { attachments, upload_space_used } = await listOwn(dora)

      expect(state).toMatchObject({ realm_upload_quota_mib: 200, max_file_upload_size_mib: 25 })
      expect(answer).toMatchObject(refusal('REALM_UPLOAD_QUOTA'))
      const length = String(25 * MIB)
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': length }
      const begun = await dora.fetch('/api/v1/tus', { method: 'POST', headers })
      expect(await begun.json()).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' })
      expect(upload_space_used).toBeLessThanOrEqual(200 * MIB)
      for (const { id } of attachments) await dora.call(deleteAttachment, { attachment_id: id })
      expect(await dora.upload({ name: 'small', content: 'x' })).toMatchObject(success())
    })
  })
}

/** Sends the head of an upload with the given length, and leaves the file to the caller. */
function startUpload({ baseUrl }: TestSystem, { account }: ApiClient, bytes: number): Promise<Socket> {
  const { hostname, port, host } = new URL(baseUrl)
  const part = '--b\r\ncontent-disposition: form-data; name="filename"; filename="a"\r\n\r\n'
  const head = [
    'POST /api/v1/user_uploads HTTP/1.1',
    `host: ${host}`,
    `authorization: Basic ${btoa(`${account?.email}:${account?.apiKey}`)}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${part.length + bytes + '\r\n--b--\r\n'.length}`,
  ].join('\r\n')
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}\r\n\r\n${part}`)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}
