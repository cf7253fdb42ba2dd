import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canInstallPackages, findInPath, installPackages, pickFreePort } from '@tms/local-system'
import { createTestFolder } from '@tms/test-kit'
import { until } from './until.ts'

const PACKAGE = 'prometheus-alertmanager'

/** An Alertmanager on this machine, as Debian has it. */
export interface Alertmanager {
  /** Tells it that an alert fires, or that it is over. */
  alert(labels: Readonly<Record<string, string>>, state: 'firing' | 'resolved'): Promise<void>
  /** Notifications that it sent, and those that it took for failed, by the kind of receiver. */
  notifications(kind: string): Promise<{ sent: number; failed: number }>
  stop(): Promise<void>
}

/** Whether an Alertmanager is installed, or can be. */
export const canStartAlertmanager = (env: NodeJS.ProcessEnv): boolean =>
  findInPath([PACKAGE], env) !== null || canInstallPackages(env)

/** Starts an Alertmanager with these receivers, as in its configuration; every alert goes to all of them. Installs it if need be. */
export async function startAlertmanager(env: NodeJS.ProcessEnv, receivers: string): Promise<Alertmanager> {
  if (findInPath([PACKAGE], env) === null) await installPackages([PACKAGE], env, [`${PACKAGE}.service`])
  const program = findInPath([PACKAGE], env)
  if (program === null) throw new Error(`${PACKAGE} is not installed`)
  const folder = createTestFolder(env)
  const configuration = join(folder, 'alertmanager.yml')
  const route = 'route: { receiver: chat, group_by: [alertname], group_wait: 10ms, group_interval: 100ms }'
  writeFileSync(configuration, `${route}\n${receivers}\n`)
  const port = await pickFreePort()
  const child = spawn(
    program,
    [
      ...[`--config.file=${configuration}`, `--storage.path=${join(folder, 'data')}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const output: string[] = []
  child.stderr.on('data', (chunk: Buffer) => output.push(String(chunk)))
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${PACKAGE}: ${output.join('')}`)
    return fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    alert: async (labels, state) => {
      const ends = state === 'resolved' ? { endsAt: new Date().toISOString() } : {}
      const response = await fetch(`${url}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ labels, generatorURL: 'http://prometheus.example/graph?tab=1', ...ends }]),
      })
      if (!response.ok) throw new Error(`${PACKAGE} answered ${response.status}: ${await response.text()}`)
    },
    notifications: async (kind) => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const count = (name: string) =>
        Number(new RegExp(`^${name}\\{integration="${kind}"[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
      return {
        sent: count('alertmanager_notifications_total'),
        failed: count('alertmanager_notifications_failed_total'),
      }
    },
    stop: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
