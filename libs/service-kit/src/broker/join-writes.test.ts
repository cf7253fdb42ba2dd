import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChannelModel } from 'amqplib'
import { expect, test } from 'vitest'
import { joinWrites } from './join-writes.ts'

interface Muxer {
  pipeFrom(readable: PassThrough): void
}
const load = createRequire(import.meta.url)
/** The library's own, which it doesn't export. */
const { Mux } = load(join(dirname(load.resolve('amqplib')), 'lib', 'mux.js')) as {
  Mux: new (out: Writable) => Muxer
}

/** A connection of the client library, and the writes that reach its socket. */
function aConnection() {
  const writes: string[] = []
  const stream = new Writable({
    highWaterMark: 8,
    write: (chunk, _, done) => {
      writes.push(String(chunk))
      setImmediate(done)
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''))
      setImmediate(done)
    },
  })
  const muxer = new Mux(stream)
  return { writes, muxer, model: { connection: { muxer, stream } } as unknown as ChannelModel }
}

const sendFrames = (muxer: Muxer, frames: readonly string[]) => {
  const channel = new PassThrough({ objectMode: true })
  muxer.pipeFrom(channel)
  for (const frame of frames) channel.write(frame)
}

test('all frames that are ready are sent in one write', async () => {
  const { writes, muxer, model } = aConnection()
  joinWrites(model)
  sendFrames(muxer, ['a', 'b'])
  sendFrames(muxer, ['c', 'd'])
  while (writes.join('').length < 4) await nextTurn()
  expect(writes).toHaveLength(1)
})

test('frames beyond what the socket takes wait until it has room, in their order', async () => {
  const { writes, muxer, model } = aConnection()
  joinWrites(model)
  const frames = Array.from({ length: 50 }, (_, index) => `${index} `)
  sendFrames(muxer, frames)
  while (writes.join('').length < frames.join('').length) await nextTurn()
  expect(writes.join('')).toBe(frames.join(''))
  expect(writes.length).toBeGreaterThan(1)
})

test('a client library without that function sends as it did', () => {
  const model = { connection: { muxer: {}, stream: new PassThrough() } } as unknown as ChannelModel
  expect(() => joinWrites(model)).not.toThrow()
})
