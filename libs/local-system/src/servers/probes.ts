import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { atPostgres } from './postgres-hosts.ts'
import type { ServerName } from './server.ts'
import type { Tls } from './tls-files.ts'

const PROBE_TIMEOUT_MS = 3_000

/** Returns why a server does not answer yet; null if it does. */
export type Probe = (url: string, tls?: Tls) => Promise<string | null>

export const probes: Record<ServerName, Probe> = {
  postgres: probePostgres,
  redis: probeRedis,
  rabbitmq: probeRabbitmq,
}

async function probePostgres(url: string): Promise<string | null> {
  try {
    await atPostgres(url, (client) => client.query('select 1'), PROBE_TIMEOUT_MS)
    return null
  } catch (err) {
    return reasonOf(err)
  }
}

/** Distinguishes "up" from "still loading" and "wrong password". */
function probeRedis(url: string, tls?: Tls): Promise<string | null> {
  return sendRedisCommand(url, ['PING'], tls).then(
    () => null,
    (err: unknown) => reasonOf(err),
  )
}

/**
 * Sends one command to Redis and returns the reply; implements the few bytes of its protocol that this needs. Rejects
 * with its error, or if it doesn't answer.
 */
export async function sendRedisCommand(url: string, command: string[], tls: Tls = {}): Promise<string> {
  const { username, password } = new URL(url)
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent)
  const login = password === '' ? '' : encodeCommand(['AUTH', ...credentials])
  let reply = ''
  const message = login + encodeCommand(command)
  const reason = await sendUntilJudged({ url, defaultPort: 6379, message, tls }, (answer) => {
    const refusal = /^-(.*)\r$/m.exec(answer)
    if (refusal) return { reason: refusal[1] ?? 'it refused' }
    const text = login === '' ? answer : answer.replace(/^\+OK\r\n/, '')
    if (!isWholeReply(text)) return undefined
    reply = text
    return { reason: null }
  })
  if (reason !== null) throw new Error(reason)
  return reply
}

/** Whether one line, or one text with its length before it, is complete. */
function isWholeReply(text: string): boolean {
  const length = /^\$(\d+)\r\n/.exec(text)
  return length ? text.length >= length[0].length + Number(length[1]) + 2 : text.endsWith('\r\n')
}

/** Waits for the broker's greeting; RabbitMQ opens its port only after its queues are recovered. */
function probeRabbitmq(url: string, tls: Tls = {}): Promise<string | null> {
  return sendUntilJudged({ url, defaultPort: 5672, message: 'AMQP\x00\x00\x09\x01', tls }, (answer) => {
    if (answer.startsWith('AMQP')) return { reason: 'it speaks another version of AMQP' }
    return answer.length > 0 ? { reason: null } : undefined
  })
}

function encodeCommand(words: string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

/** Sends one message and passes everything received so far to `judge`, until that returns a result. */
function sendUntilJudged(
  { url, defaultPort, message, tls }: { url: string; defaultPort: number; message: string; tls: Tls },
  judge: (answer: string) => { reason: string | null } | undefined,
): Promise<string | null> {
  const { protocol, hostname, port } = new URL(url)
  const target = { host: hostname, port: port === '' ? defaultPort : Number(port) }
  const isTls = protocol === 'rediss:' || protocol === 'amqps:'
  return new Promise((resolve) => {
    const socket = isTls ? connectTls({ ...tls, ...target }) : connect(target)
    let answer = ''
    const finish = (reason: string | null) => {
      resolve(reason)
      socket.destroy()
    }
    socket.setTimeout(PROBE_TIMEOUT_MS, () => finish('no answer'))
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.write(message, 'latin1'))
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      const verdict = judge(answer)
      if (verdict) finish(verdict.reason)
    })
    socket.once('error', (err) => finish(reasonOf(err)))
    socket.once('close', () => resolve('it closed the connection'))
  })
}

function reasonOf(err: unknown): string {
  const error = err as NodeJS.ErrnoException
  return error.message || error.code || String(err)
}
