import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { maxFileUploadBytes } from '@tms/contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drain, fileReceiver, type IncomingFile } from './file-body.ts'
import type { Fields } from './form.ts'

const FORM = 'multipart/form-data; boundary=b'
const filePart = (content: string, name = 'a.txt') =>
  `--b\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\ncontent-type: Text/Plain\r\n\r\n${content}\r\n`
const fieldPart = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const END = '--b--\r\n'

/** The result of the last request. */
type Outcome = { received: unknown } | { refused: string }
let server: Server
/** Runs before the file is requested. */
let prepare: (incoming: IncomingMessage) => Promise<unknown> = async () => {}
let consume: (file: IncomingFile) => Promise<unknown>
let settle: (outcome: Outcome) => void
const fields: Fields = new Map()

beforeAll(async () => {
  server = createServer(async (incoming, response) => {
    fields.clear()
    let outcome: Outcome
    await prepare(incoming)
    try {
      outcome = { received: await fileReceiver(incoming, fields)((file) => consume(file)) }
    } catch (err) {
      outcome = { refused: (err as Error).message }
    }
    await drain(incoming)
    response.end()
    settle(outcome)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const keep = async ({ name, contentType, stream }: IncomingFile) => ({
  name,
  contentType,
  content: (await buffer(stream)).toString('latin1'),
})

/** Sends a body and returns the result. */
function send(
  body: Iterable<Buffer | string>,
  type = FORM,
  consumer = keep as typeof consume,
): Promise<Outcome> {
  consume = consumer
  const { port } = server.address() as AddressInfo
  return new Promise((resolve) => {
    settle = resolve
    const outgoing = request({ port, method: 'POST', headers: { 'content-type': type } })
    outgoing.on('error', () => {})
    outgoing.on('response', (answer) => answer.resume())
    pipeline(Readable.from(body, { objectMode: false }), outgoing).catch(() => {})
  })
}

describe('a body with a file', () => {
  test('has that file and its other fields', async () => {
    const outcome = await send([
      fieldPart('x', '1'),
      filePart('hello', 'Größe.txt'),
      fieldPart('y', '2'),
      END,
    ])

    expect(outcome).toEqual({ received: { name: 'Größe.txt', contentType: 'text/plain', content: 'hello' } })
    expect([...fields]).toEqual([
      ['x', '1'],
      ['y', '2'],
    ])
  })

  test('has the name of the file without its folders', async () => {
    const outcome = await send([filePart('x', '../../etc/passwd'), END])

    expect(outcome).toMatchObject({ received: { name: 'passwd' } })
  })

  test.each<[string, string[], string, string]>([
    ['no file', [fieldPart('x', '1'), END], FORM, 'You must specify a file'],
    ['nothing', [END], FORM, 'You must specify a file'],
    ['two files', [filePart('1'), filePart('2'), END], FORM, 'only upload one file'],
    ['two files at once', [filePart('1') + filePart('2') + END], FORM, 'only upload one file'],
    ['many fields', [...Array.from({ length: 21 }, () => fieldPart('x', '1')), END], FORM, 'at most 20'],
    ['half of a file', [filePart('hello').slice(0, -4)], FORM, 'malformed'],
    ['no parts', ['hello'], FORM, 'malformed'],
    ['another type', ['x=1'], 'application/json', 'multipart/form-data'],
    ['no boundary', [filePart('x'), END], 'multipart/form-data', 'multipart/form-data'],
  ])('that has %s is refused', async (_, body, type, message) => {
    expect(await send(body, type)).toEqual({ refused: expect.stringContaining(message) })
  })

  test('may have 25 MiB, and not a byte more', async () => {
    const count = async ({ stream }: IncomingFile) => {
      let bytes = 0
      for await (const chunk of stream) bytes += (chunk as Buffer).length
      return bytes
    }
    const withFile = (bytes: number) => [filePart('').slice(0, -2), Buffer.alloc(bytes), '\r\n', END]

    expect(await send(withFile(maxFileUploadBytes), FORM, count)).toEqual({ received: maxFileUploadBytes })
    for (const excess of [1, 1_000_000]) {
      expect(await send(withFile(maxFileUploadBytes + excess), FORM, count)).toEqual({
        refused: expect.stringContaining('larger than'),
      })
    }
  })

  test('that cannot be stored is refused and read to its end', async () => {
    const failing = () => Promise.reject(new Error('the disk is full'))

    expect(await send([filePart('x'.repeat(1_000_000)), END], FORM, failing)).toEqual({
      refused: 'the disk is full',
    })
  })

  test('is never considered complete if it breaks off', async () => {
    let kept: Promise<unknown> = Promise.resolve()
    const outcome = await new Promise<Outcome>((resolve) => {
      settle = resolve
      const { port } = server.address() as AddressInfo
      const outgoing = request({
        port,
        method: 'POST',
        headers: { 'content-type': FORM, 'content-length': 1_000_000 },
      })
      outgoing.on('error', () => {})
      consume = (file) => {
        kept = keep(file)
        file.stream.once('data', () => outgoing.destroy())
        return kept
      }
      outgoing.write(filePart('x'.repeat(1_000)))
    })

    expect(outcome).toEqual({ refused: 'The request was cut off' })
    await expect(kept).rejects.toThrow()
  })

  test('is refused if its client has disconnected before it is read', async () => {
    const outcome = await new Promise<Outcome>((resolve) => {
      settle = resolve
      const { port } = server.address() as AddressInfo
      const outgoing = request({ port, method: 'POST', headers: { 'content-type': FORM } })
      outgoing.on('error', () => {})
      prepare = (incoming) => {
        outgoing.destroy()
        return new Promise((left) => incoming.on('close', left))
      }
      outgoing.write(filePart('x'))
    })
    prepare = async () => {}

    expect(outcome).toEqual({ refused: 'The request was cut off' })
  })

  test('may have any content', async () => {
    const piece = fc.oneof(
      fc.constantFrom('--b', '--b--', '\r\n', '\r', '-', ':', ';', filePart('x'), fieldPart('x', '1'), END),
      fc.constantFrom('content-disposition: form-data; name="f"; filename="', '"', "filename*=utf-8''%ff"),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const outcome = await send(pieces)
        expect('received' in outcome || outcome.refused !== '').toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
