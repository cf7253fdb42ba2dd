import { duplexPair } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { encodeFrame, FrameConnection, FrameReader, SilentPeerError } from './frame-connection.ts'

const NOTHING = Buffer.alloc(0)

afterEach(() => vi.useRealTimers())

/** A connection and what it reported, with the other end's socket. */
function connected(silentMs = 10_000) {
  const [socket, other] = duplexPair()
  const frames: (readonly string[])[] = []
  const ends: (Error | null)[] = []
  const connection = new FrameConnection(socket, NOTHING, {
    silentMs,
    onFrame: (texts) => frames.push(texts),
    onEnd: (err) => ends.push(err),
  })
  const end = () => vi.waitFor(() => expect(ends).toHaveLength(1)).then(() => ends[0])
  return { connection, socket, other, frames, end }
}

describe('frames', () => {
  const sent = [['one'], ['', 'Grüße, 你好', '🙂'.repeat(3)], ['x'.repeat(100_000)], []]

  test.each([1, 2, 3, 7, 64, 65_536])('arrive whole and in order, %i bytes at a time', (size) => {
    const bytes = Buffer.concat(sent.map(encodeFrame))
    const reader = new FrameReader()
    const frames: string[][] = []

    for (let at = 0; at < bytes.length; at += size) frames.push(...reader.read(bytes.subarray(at, at + size)))

    expect(frames).toEqual(sent)
    expect(reader.isAtStart).toBe(true)
  })

  test.each<[string, number[]]>([
    ['is longer than any', [0xff, 0, 0, 0]],
    ['has no number of texts', [0, 0, 0, 2, 0, 0]],
    ['has fewer lengths than texts', [0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 1]],
    ['has texts beyond its end', [0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 5, 65]],
    ['has more than its texts', [0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 1, 65, 66]],
  ])('are refused if one %s, and the connection ends', async (_name, bytes) => {
    const { other, frames, end } = connected()

    other.write(Buffer.from(bytes))

    expect(await end()).toBeInstanceOf(Error)
    expect(frames).toEqual([])
  })

  test('go both ways, beginning with what came with the upgrade', async () => {
    const [socket, other] = duplexPair()
    const received: (readonly string[])[] = []
    const [first, second] = [encodeFrame(['head']), encodeFrame(['later'])]
    const listener = { silentMs: 10_000, onEnd: () => {} }
    const near = new FrameConnection(socket, first, {
      ...listener,
      onFrame: (texts) => void received.push(texts),
    })
    const far = new FrameConnection(other, NOTHING, {
      ...listener,
      onFrame: (texts) => void received.push(texts),
    })
    near.send(['to the other'])
    far.send(['back'])
    other.write(second)

    await vi.waitFor(() => expect(received).toHaveLength(4))
    expect(received[0]).toEqual(['head'])
    expect(received).toEqual(expect.arrayContaining([['to the other'], ['back'], ['later']]))
  })
})

describe('a connection', () => {
  test('says how much the peer has yet to read, and when all of it was sent', async () => {
    const [socket, other] = duplexPair()
    let drained = 0
    const connection = new FrameConnection(socket, NOTHING, {
      ...{ silentMs: 10_000, onFrame: () => {}, onEnd: () => {} },
      onDrained: () => drained++,
    })
    for (let at = 0; at < 5; at++) connection.send(['x'.repeat(100_000)])
    expect(connection.unsentBytes).toBeGreaterThan(300_000)
    expect(drained).toBe(0)

    other.resume()

    await vi.waitFor(() => expect([drained, connection.unsentBytes]).toEqual([1, 0]))
  })

  test('ends without an error if the peer ends it between frames', async () => {
    const { other, frames, end } = connected()
    other.end(encodeFrame(['last']))
    expect(await end()).toBeNull()
    expect(frames).toEqual([['last']])
  })

  test('ends with an error if the peer ends it within a frame', async () => {
    const { other, end } = connected()
    other.end(encodeFrame(['cut off']).subarray(0, 9))
    expect(await end()).toBeInstanceOf(Error)
  })

  test('ends with an error if handling a frame fails', async () => {
    const [socket, other] = duplexPair()
    const ended = new Promise((resolve) => {
      new FrameConnection(socket, NOTHING, {
        silentMs: 10_000,
        onFrame: () => {
          throw new Error('no JSON')
        },
        onEnd: resolve,
      })
    })
    other.write(encodeFrame(['{']))
    expect(await ended).toEqual(new Error('no JSON'))
  })

  test('ends if the peer is silent for too long, and stays while it sends anything', async () => {
    vi.useFakeTimers()
    const quiet = connected(1_000)
    const [socket, other] = duplexPair()
    const ends: unknown[] = []
    const listener = { onFrame: () => {}, onEnd: (err: Error | null) => ends.push(err) }
    new FrameConnection(socket, NOTHING, { ...listener, silentMs: 20_000 })
    // Sends empty frames by itself.
    new FrameConnection(other, NOTHING, { ...listener, silentMs: 20_000 })

    await vi.advanceTimersByTimeAsync(60_000)

    expect(await quiet.end()).toBeInstanceOf(SilentPeerError)
    expect(ends).toEqual([])
  })
})
