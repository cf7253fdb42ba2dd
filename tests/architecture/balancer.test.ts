import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findInPath, pickFreePort } from '@tms/local-system'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from './support/repository.ts'

const LIMIT = 3
const POLL_MS = 50
const PATIENCE_MS = 30_000

// From Debian's package haproxy; without it, or if the machine has only one address of its own, these tests are reported as
// skipped.
const haproxy = process.platform === 'linux' ? findInPath(['haproxy'], process.env) : null
const describeWithHaproxy = haproxy === null ? describe.skip : describe
describeWithHaproxy('deploy/haproxy.cfg', () => {
  let folder = ''
  let file = ''
  let port = 0
  const environment = (TRUST_PROXY: string, limit = LIMIT) => ({
    PATH: process.env.PATH,
    TRUST_PROXY,
    MAX_CONNECTIONS_PER_ADDRESS: String(limit),
  })
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tms-balancer-'))
    file = join(folder, 'haproxy.cfg')
    let text = read('deploy/haproxy.cfg')
    for (const [bound] of text.matchAll(/(?<=bind ):80\d\d/g)) {
      const free = await pickFreePort()
      if (bound === ':8080') port = free
      text = text.replace(bound, `127.0.0.1:${free}`)
    }
    writeFileSync(file, text)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Runs it without any replica, which it reports in its responses. */
  async function runBalancer(env: NodeJS.ProcessEnv, work: () => Promise<void>): Promise<void> {
    const child = spawn(haproxy ?? '', ['-db', '-f', file], { env, stdio: 'ignore' })
    try {
      await until(async () => (await request('127.0.0.9')) === 503)
      await work()
    } finally {
      if (child.kill('SIGKILL')) await once(child, 'close')
    }
  }
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; !(await isSo()); await sleep(POLL_MS))
      if (Date.now() > deadline) throw new Error('timed out')
  }
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
  /** The status of a response; null if the connection was closed. */
  async function request(from: string): Promise<number | null> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    socket.write('GET /health/live HTTP/1.1\r\nHost: chat\r\nConnection: close\r\n\r\n')
    let text = ''
    socket.on('data', (part) => (text += String(part)))
    await closed(socket)
    return text === '' ? null : Number(text.split(' ')[1])
  }
  /** Opens the given number of requests that never end. */
  async function openSockets(from: string, wanted: number): Promise<Socket[]> {
    const sockets = Array.from({ length: wanted }, () =>
      connect({ port, host: '127.0.0.1', localAddress: from })
        .on('error', () => {})
        .resume(),
    )
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) socket.write('GET /')
    return sockets
  }

  test.each([
    ['false', 2_000],
    ['false', 0],
    ['true', 2_000],
  ])('is valid with TRUST_PROXY=%s and %i connections per address', (trustProxy, limit) => {
    const check = () =>
      execFileSync(haproxy ?? '', ['-c', '-f', file], { env: environment(trustProxy, limit), stdio: 'pipe' })
    expect(check).not.toThrow()
  })

  test('that of replies by mail is valid', () => {
    const replies = join(folder, 'replies.cfg')
    writeFileSync(replies, read('deploy/haproxy.replies.cfg'))
    expect(() => execFileSync(haproxy ?? '', ['-c', '-f', replies], { stdio: 'pipe' })).not.toThrow()
  })

  test('limits the connections of one address while it still serves others', () =>
    runBalancer(environment('false'), async () => {
      let sockets: Socket[] = []
      await until(async () => {
        // A connection that it has not counted yet may have been closed in favour of a request.
        sockets = sockets.filter(({ closed }) => !closed)
        sockets.push(...(await openSockets('127.0.0.1', LIMIT - sockets.length)))
        return (await request('127.0.0.1')) === null
      })
      expect(await request('127.0.0.2')).toBe(503)

      for (const socket of sockets) socket.destroy()
      await until(async () => (await request('127.0.0.1')) === 503)
    }))

  test('closes a connection whose headers do not arrive before others run out of capacity', () =>
    runBalancer(environment('false'), async () => {
      const [slow] = await openSockets('127.0.0.1', 1)
      const begun = Date.now()
      await closed(slow as Socket)
      expect(Date.now() - begun).toBeLessThan(25_000)
    }))

  test('closes nothing behind another proxy, whose address all clients share', () =>
    runBalancer(environment('true'), async () => {
      const sockets = await openSockets('127.0.0.1', LIMIT + 2)
      expect(await request('127.0.0.1')).toBe(503)
      for (const socket of sockets) socket.destroy()
    }))
})
