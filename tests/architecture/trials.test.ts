import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from '../trials/support/client.ts'
import { createSteps, repeatDuring } from '../trials/support/steps.ts'

describe('a trial whose step fails', () => {
  const exitCode = process.exitCode
  afterEach(() => {
    process.exitCode = exitCode
  })

  test('runs the later steps that do not need it, and names the steps that it skips', async () => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line.replace(/ \([\d.]+ s\)$/, ''))
    const { stepAfter, hasFailed, finish } = createSteps({ log, logError: log })

    const system = await stepAfter([], 'it starts', () => 'system')
    const backup = await stepAfter([system], 'it is backed up', () => {
      throw new Error('no space')
    })
    const restored = await stepAfter([system, backup], 'it is restored', () => 'restored')
    await stepAfter([restored], 'it goes on', () => 'on')
    const closed = await stepAfter([system], 'it is closed', (name) => `closed ${name}`)
    finish()

    expect(lines).toEqual([
      '✓ it starts',
      '✕ it is backed up: no space',
      '– it is restored: skipped, for it needs: it is backed up',
      '– it goes on: skipped, for it needs: it is backed up',
      '✓ it is closed',
      '2 passed, 1 failed, 2 skipped',
    ])
    expect(closed).toEqual({ missing: null, result: 'closed system' })
    expect(hasFailed()).toBe(true)
    expect(process.exitCode).toBe(1)
  })
})

describe('a trial step that repeats while other work runs', () => {
  test('runs at least once, and stops when the other work has ended', async () => {
    const done: number[] = []
    let end = () => {}
    const work = new Promise<void>((resolve) => {
      end = resolve
    })
    const repeat = async (count: number) => {
      done.push(count)
      if (count === 2) end()
    }

    await repeatDuring(work, repeat, 1)

    expect(done).toEqual([0, 1, 2])
  })

  test('ends when the other work fails, and reports the reason', async () => {
    let hasEnded = false
    const work = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => {
      hasEnded = true
    })
    const repeat = async () => {
      throw new Error('upload refused')
    }

    await expect(repeatDuring(work, repeat, 1)).rejects.toThrow('upload refused')
    expect(hasEnded).toBe(true)
  })
})

describe('a trial that hits the rate limit', () => {
  const limited = async (times: number) => {
    let left = times
    const bodies: number[] = []
    const server = createServer(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) bytes += (chunk as Buffer).length
      bodies.push(bytes)
      if (left-- > 0) response.writeHead(429, { 'retry-after': '6.2' }).end('{"code":"RATE_LIMIT_HIT"}')
      else response.end('{"result":"success","id":7}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const waits: number[] = []
    const { port } = server.address() as AddressInfo
    const client = createClient({
      port,
      host: 'localhost',
      wait: async (ms) => void waits.push(ms),
      log: () => {},
    })
    return { client, waits, bodies, close: () => server.close().closeAllConnections() }
  }

  test('waits for the time of the response, and repeats the same request', async () => {
    const { client, waits, bodies, close } = await limited(2)
    const answer = await client.call('POST', '/user_uploads', { file: 'notes.txt' })
    close()

    expect(answer).toMatchObject({ id: 7 })
    expect(waits).toEqual([7_000, 7_000])
    expect(bodies[0]).toBeGreaterThan(0)
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]])
  })

  test('gives up if the limit never ends, and passes the response to its caller', async () => {
    const { client, waits, close } = await limited(Number.POSITIVE_INFINITY)
    await expect(client.call('GET', '/users/me')).rejects.toThrow('answered 429')
    const { status } = await client.send('GET', '/api/v1/users/me')
    close()

    expect(waits).toHaveLength(3)
    expect(status).toBe(429)
  })
})
