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

// Of Debian's package haproxy; without it, or where a machine has one address alone for itself, these are told as skipped.
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

  /** Runs it without any replica, which it says to whoever asks. */
  async function runBalancer(env: NodeJS.ProcessEnv, work: () => Promise<void>): Promise<void> {
    const child = spawn(haproxy ?? '', ['-db', '-f', file], { env, stdio: 'ignore' })
    try {
      await until(async () => (await ask('127.0.0.9')) === 503)
      await work()
    } finally {
      if (child.kill('SIGKILL')) await once(child, 'close')
    }
  }
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; !(await isSo()); await sleep(POLL_MS))
      if (Date.now() > deadline) throw new Error('waited in vain')
  }
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
  /** The status of an answer; null where the connection was cut off. */
  async function ask(from: string): Promise<number | null> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    socket.write('GET /health/live HTTP/1.1\r\nHost: chat\r\nConnection: close\r\n\r\n')
    let text = ''
    socket.on('data', (part) => (text += String(part)))
    await closed(socket)
    return text === '' ? null : Number(text.split(' ')[1])
  }
  /** Begins requests that never end, as many as are wanted. */
  async function hold(from: string, wanted: number): Promise<Socket[]> {
    const held = Array.from({ length: wanted }, () =>
      connect({ port, host: '127.0.0.1', localAddress: from })
        .on('error', () => {})
        .resume(),
    )
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    for (const socket of held) socket.write('GET /')
    return held
  }

  test.each([
    ['false', 2_000],
    ['false', 0],
    ['true', 2_000],
  ])('is understood with TRUST_PROXY=%s and %i connections of an address', (trustProxy, limit) => {
    const check = () =>
      execFileSync(haproxy ?? '', ['-c', '-f', file], { env: environment(trustProxy, limit), stdio: 'pipe' })
    expect(check).not.toThrow()
  })

  test('one address that takes all it may has no more, and others are answered', () =>
    runBalancer(environment('false'), async () => {
      let held: Socket[] = []
      await until(async () => {
        // A connection that it hasn't counted yet may have lost its place to a question.
        held = held.filter(({ closed }) => !closed)
        held.push(...(await hold('127.0.0.1', LIMIT - held.length)))
        return (await ask('127.0.0.1')) === null
      })
      expect(await ask('127.0.0.2')).toBe(503)

      for (const socket of held) socket.destroy()
      await until(async () => (await ask('127.0.0.1')) === 503)
    }))

  test('a request whose headers do not come is cut off before others run out of room', () =>
    runBalancer(environment('false'), async () => {
      const [slow] = await hold('127.0.0.1', 1)
      const begun = Date.now()
      await closed(slow as Socket)
      expect(Date.now() - begun).toBeLessThan(25_000)
    }))

  test('behind another proxy, whose address all clients have here, nothing is cut off', () =>
    runBalancer(environment('true'), async () => {
      const held = await hold('127.0.0.1', LIMIT + 2)
      expect(await ask('127.0.0.1')).toBe(503)
      for (const socket of held) socket.destroy()
    }))
})
