import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runManage } from '@tms/manage'
import type { EmptySystem } from '@tms/test-kit'

const PROGRAM = fileURLToPath(new URL('../../../manage/dist/main.js', import.meta.url))

/** The exit code and output of the operators' program. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly ended: Promise<Ended>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** The variables by which the program finds a system. */
export function environmentOf({ system, servers }: EmptySystem): Record<string, string> {
  const { urls } = system
  return {
    PATH: process.env['PATH'] ?? '',
    GATEWAY_URL: system.baseUrl,
    USERS_URL: urls.users.join(','),
    REALM_URL: urls.realm.join(','),
    MESSAGING_URL: urls.messaging.join(','),
    EVENTS_URL: urls.events.join(','),
    EXTERNAL_HOST: system.externalHost,
    EXTERNAL_SCHEME: 'http',
    RABBITMQ_URL: servers.rabbitmq.url,
    NAMESPACE: system.namespace,
    // On one line, as environment files have it.
    INTERNAL_PRIVATE_KEY: system.keys.internal.privateKey.replaceAll('\n', '\\n'),
  }
}

/** Runs a command in this process, since a separate one would take a second each. */
export async function runManageHere(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  stdin = '',
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed) => ({ write: (text: string) => (printed[name] += text) })
  const signals = new EventEmitter()
  const terminal = {
    env,
    stdin: Readable.from(stdin === '' ? [] : [stdin]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    on: signals.on.bind(signals),
    off: signals.off.bind(signals),
  }
  return { code: await runManage(args, terminal), ...printed }
}

/** Starts the program as an operator does. */
export function startManage(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  stdin = '',
): Running {
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    // Compiled code is kept, if that of the tests is.
    env: { ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }), ...env },
  })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
    })
  }
  child.stdin.end(stdin)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...printed }))
  })
  return { ended, kill: (signal) => child.kill(signal) }
}
