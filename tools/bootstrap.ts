// Prepares a checkout for its programs: pnpm, dependencies, build. Has no dependencies, since it runs before any is
// installed. Each part is skipped if its inputs haven't changed since it last succeeded. (pinned-node.mjs installs Node.js.)

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { dependencyFiles, fingerprint, isBuilt, sourceFiles } from './bootstrap/inputs.ts'
import { acquireLock } from './bootstrap/prepare-lock.ts'
import { type Progress, showStep } from './bootstrap/progress.ts'
import { repoRoot } from './repo-root.ts'

const local = join(repoRoot, '.local')
const localPnpm = join(local, 'pnpm', 'node_modules', '.bin', 'pnpm')
const manifest: { engines: { pnpm: string } } = JSON.parse(
  readFileSync(join(repoRoot, 'package.json'), 'utf8'),
)

/**
 * Installs and builds what is out of date. Throws an error with a readable message and the whole output of the failed
 * command.
 */
export async function prepareWorkspace(
  progress: Progress = { log: console.log, status: () => {} },
): Promise<void> {
  const unlock = await acquireLock(join(local, 'prepare.lock'), progress.status)
  try {
    // Only for work: asking each for its version takes as long as all else that a start of what is up to date does here.
    const preparePnpm = async () => findPnpm() ?? (await showStep(progress, 'installing pnpm', installPnpm))
    await runOnce(
      'dependencies',
      dependencyFiles,
      existsSync(join(repoRoot, 'node_modules', '.pnpm')),
      async () => {
        const pnpm = await preparePnpm()
        await showStep(progress, 'installing dependencies', () => {
          const frozen = existsSync(join(repoRoot, 'pnpm-lock.yaml')) ? ['--frozen-lockfile'] : []
          return run(pnpm, ['install', ...frozen], { CI: '1' })
        })
      },
    )
    await runOnce('build', sourceFiles, isBuilt(), async () => {
      const pnpm = await preparePnpm()
      await showStep(progress, 'building', () => run(pnpm, ['run', 'build']))
    })
  } finally {
    unlock()
  }
}

/** The environment of child processes: pnpm and this Node.js in PATH, and no download of Prisma's schema engine. */
export function workspaceEnvironment(): NodeJS.ProcessEnv {
  const folders = [join(repoRoot, 'node_modules', '.bin'), dirname(localPnpm), dirname(process.execPath)]
  const path = [...folders, process.env.PATH].join(delimiter)
  return { ...process.env, PATH: path, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }
}

/** A pnpm of the required major version, from PATH or installed here earlier; else null. */
function findPnpm(): string | null {
  const requiredMajor = /\d+/.exec(manifest.engines.pnpm)?.[0]
  return (
    ['pnpm', localPnpm].find((command) => {
      const { status, stdout } = spawnSync(command, ['--version'], { cwd: repoRoot, encoding: 'utf8' })
      return status === 0 && stdout.trim().split('.')[0] === requiredMajor
    }) ?? null
  )
}

async function installPnpm(): Promise<string> {
  const folder = join(local, 'pnpm')
  mkdirSync(folder, { recursive: true })
  const wanted = `pnpm@${manifest.engines.pnpm}`
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', wanted])
  return localPnpm
}

/** Does the work unless it succeeded before with the same files and its result still exists (`isDone`). */
async function runOnce(
  name: string,
  listFiles: () => string[],
  isDone: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const stampPath = join(local, `${name}.stamp`)
  const before = fingerprint(listFiles())
  if (isDone && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === before) return
  if (existsSync(stampPath)) unlinkSync(stampPath)
  await work()
  // The fingerprint from before the work, so that edits made meanwhile count as new.
  writeFileSync(stampPath, before)
}

async function run(command: string, args: string[], extraEnv: Record<string, string> = {}): Promise<void> {
  const child = spawn(command, args, {
    cwd: repoRoot,
    env: { ...workspaceEnvironment(), ...extraEnv },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const ended = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code))
  })
  if (ended === 0) return
  const text = Buffer.concat(output).toString('utf8').trimEnd()
  const how = typeof ended === 'number' ? `exit code ${ended}` : ended
  throw new Error(`${text}\n\n${command} ${args.join(' ')} failed (${how})`)
}
