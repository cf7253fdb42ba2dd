import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LockHeldError, takeLock } from '../process/lock.ts'
import { findInstance, type Instance, removeInstance, writeInstance } from './instance-file.ts'
import { type Running, runEverything } from './run-everything.ts'
import { parseSettings, type StartSettings } from './settings.ts'
import { listenForStop } from './stop-signals.ts'
import { Terminal } from './terminal.ts'
import { renderTour, tourSteps } from './tour.ts'

export type StartLocalOptions = {
  /** Normally `process.env`. */
  env: NodeJS.ProcessEnv
  /** The checkout. */
  repoRoot: string
}

/**
 * `npm start`: starts everything, prints how to use it, and stops it again when the process is asked to end. Returns
 * the exit code once everything is stopped; never throws for errors that a user can cause.
 */
export async function startLocal(args: string[], options: StartLocalOptions): Promise<number> {
  const { env, repoRoot } = options
  const terminal = new Terminal(process.stdout, env)
  const local = join(repoRoot, '.local')
  const instancePath = join(local, 'instance.json')
  let settings: StartSettings
  let unlock: () => void
  try {
    settings = parseSettings(args, env)
    unlock = takeLock(join(local, 'start.lock'))
  } catch (err) {
    terminal.print(err instanceof LockHeldError ? describeRunning(instancePath, err.pid) : reasonOf(err))
    return 1
  }

  const stopping = new AbortController()
  const running: Running = {}
  const stopListening = listenForStop(
    () => stopping.abort(new Error('asked to stop')),
    () => void force(running),
    env,
  )
  let exitCode = 0
  try {
    removeInstance(instancePath)
    const dataDir = settings.dataDir === undefined ? join(local, 'data') : resolve(settings.dataDir)
    const context = { env, repoRoot, dataDir, logDir: join(local, 'logs'), terminal, signal: stopping.signal }
    const instance = await runEverything(settings, context, running)
    stopping.signal.throwIfAborted()
    writeInstance(instancePath, instance)
    terminal.print(describeReady(instance, running, terminal))
    await aborted(stopping.signal)
  } catch (err) {
    terminal.dropSteps()
    if (!stopping.signal.aborted) {
      terminal.print(terminal.colors.red(reasonOf(err)))
      exitCode = 1
    }
  }
  stopping.abort() // also ends restarts that wait for their turn
  removeInstance(instancePath)
  if (running.system)
    terminal.print('Stopping, after what clients have begun; Ctrl-C once more ends it at once.')
  try {
    await running.system?.stop()
    await running.examples?.stop()
    await running.servers?.stop()
    if (running.servers) terminal.print('Everything is stopped; the data stay for the next start.')
  } catch (err) {
    terminal.print(terminal.colors.red(reasonOf(err)))
    exitCode = 1
  }
  stopListening()
  unlock()
  return exitCode
}

async function force(running: Running): Promise<void> {
  await Promise.allSettled([running.system?.kill()])
  await Promise.allSettled([running.servers?.kill(), running.examples?.kill()])
  process.exit(130)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}

function describeRunning(instancePath: string, pid: number): string {
  const instance = findInstance(instancePath)
  const where = instance ? `at ${instance.baseUrl}` : 'and not ready yet'
  return `Already running in this checkout ${where} (process ${pid}); stop it first.`
}

function describeReady(instance: Instance, { examples }: Running, { colors }: Terminal): string {
  const { baseUrl, owner, mailUrl } = instance
  const account = owner && [
    `  Owner     ${owner.email}`,
    `  Password  ${owner.password}`,
    `  API key   ${owner.apiKey}`,
  ]
  const mails = mailUrl.startsWith('file:')
    ? `${relative(process.cwd(), fileURLToPath(mailUrl))} (each mail is a file; set MAIL_URL=smtp://… to send them)`
    : `go to ${new URL(mailUrl).host}`
  return [
    '',
    // Since the process began: installing and building count too.
    colors.bold(`Ready after ${(performance.now() / 1000).toFixed(1)} s. Ctrl-C stops it; data stay.`),
    '',
    `  Address   ${colors.bold(baseUrl)}`,
    ...(account ?? []),
    `  Mails     ${mails}`,
    `  Logs      .local/logs (here: warnings and errors, with --verbose every request)`,
    '',
    ...(examples ? [examples.describe(baseUrl), ''] : []),
    ...(owner
      ? [
          'A tour of two minutes; paste it into another terminal:',
          '',
          renderTour(tourSteps({ baseUrl, owner })),
        ]
      : [
          'What organizations there are, or how one gets here: in another terminal,',
          '',
          '  npm run manage -- list-organizations',
          '  npm run manage -- import <archive>',
          '  npm run manage -- create-organization --help',
        ]),
    '',
  ].join('\n')
}

function reasonOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err)
}
