// Prepares a checkout for its programs: Node.js, pnpm, dependencies, build. Plain JavaScript without dependencies, since it
// runs before anything is installed. Each part is skipped if its inputs haven't changed since it last succeeded.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const repoRoot = dirname(dirname(fileURLToPath(import.meta.url)))

const local = join(repoRoot, '.local')
const manifest = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
/** The oldest Node.js that can prepare a checkout. */
const MIN_NODE = /\d+\.\d+/.exec(manifest.engines.node)[0]
/** The Node.js that everything else runs on. */
const PINNED_NODE = readFileSync(join(repoRoot, '.node-version'), 'utf8').trim()

/**
 * Installs and builds what is out of date. Throws an error with a readable message and the whole output of the failed
 * command.
 *
 * @param {{ log?: (line: string) => void, status?: (text: string) => void }} [options] `log` gets a line per
 *   finished step; `status` gets the current step, and '' if there is none.
 */
export async function prepareWorkspace({ log = console.log, status = () => {} } = {}) {
  checkNode()
  const step = createStep(log, status)
  const unlock = await acquireLock(status)
  try {
    const pnpm = findPnpm() ?? (await step('installing pnpm', installPnpm))
    await runOnce('dependencies', dependencyFiles, existsSync(join(repoRoot, 'node_modules', '.pnpm')), () =>
      step('installing dependencies', () => {
        const frozen = existsSync(join(repoRoot, 'pnpm-lock.yaml')) ? ['--frozen-lockfile'] : []
        return run(pnpm, ['install', ...frozen], { CI: '1' })
      }),
    )
    await runOnce('build', sourceFiles, isBuilt(), () => step('building', () => run(pnpm, ['run', 'build'])))
  } finally {
    unlock()
  }
}

/**
 * The path of the pinned Node.js: the running one if it has that version, else one that is installed here. Throws an error
 * with a readable message.
 *
 * @param {{ log?: (line: string) => void, status?: (text: string) => void }} [options] As for `prepareWorkspace`.
 */
export async function prepareNode({ log = console.log, status = () => {} } = {}) {
  checkNode()
  if (process.versions.node === PINNED_NODE) return process.execPath
  if (isPinned(localNode())) return localNode()
  const unlock = await acquireLock(status)
  try {
    if (!isPinned(localNode())) {
      await createStep(log, status)(`installing Node.js ${PINNED_NODE}`, installNode)
    }
  } finally {
    unlock()
  }
  return localNode()
}

/** The environment of child processes: pnpm and the pinned Node.js in PATH, and no download of Prisma's schema engine. */
export function workspaceEnvironment() {
  const usesLocalNode = process.versions.node !== PINNED_NODE && isPinned(localNode())
  const nodeFolder = dirname(usesLocalNode ? localNode() : process.execPath)
  const paths = [join(repoRoot, 'node_modules', '.bin'), dirname(localPnpm()), nodeFolder, process.env.PATH]
  return { ...process.env, PATH: paths.join(delimiter), PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }
}

/** Throws if this Node.js is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [requiredMajor, requiredMinor] = MIN_NODE.split('.').map(Number)
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return
  throw new Error(
    `Node ${MIN_NODE} or newer is needed, this is ${process.versions.node}: see https://nodejs.org`,
  )
}

/**
 * Functions that show progress on a stream: finished steps as lines, and on a terminal the current step in a last line that
 * is overwritten.
 */
export function createProgress(out = process.stdout) {
  let isShown = false
  const write = (text) => {
    if (!out.isTTY) return
    out.write(`${isShown ? '\r\x1b[K' : ''}${text.slice(0, (out.columns || 80) - 1)}`)
    isShown = text !== ''
  }
  return {
    log: (line) => {
      write('')
      out.write(`${line}\n`)
    },
    status: (text) => write(text === '' ? '' : `… ${text}`),
  }
}

function createStep(log, status) {
  return async (text, work) => {
    const startedAt = Date.now()
    status(text)
    try {
      const result = await work()
      log(`✓ ${text} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
      return result
    } finally {
      status('')
    }
  }
}

/** Only one process at a time may install or build; the others wait, and then find everything up to date. */
async function acquireLock(status) {
  const path = join(local, 'prepare.lock')
  mkdirSync(local, { recursive: true })
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (err) {
      if (err.code !== 'EEXIST') throw err
    }
    if (!isLockHeld(path)) {
      rmSync(path, { force: true })
      continue
    }
    status(`waiting for another build in this checkout (see ${path})`)
    await sleep(200)
  }
}

function isLockHeld(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // An empty file is being written right now, unless its writer died at that moment.
    if (pid === 0) return Date.now() - statSync(path).mtimeMs < 5_000
    process.kill(pid, 0)
    return true
  } catch (err) {
    return err.code === 'EPERM'
  }
}

function localNode() {
  return join(local, 'node', 'node_modules', 'node', 'bin', 'node')
}

function isPinned(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${PINNED_NODE}`
}

async function installNode() {
  const folder = join(local, 'node')
  mkdirSync(folder, { recursive: true })
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `node@${PINNED_NODE}`])
  if (!isPinned(localNode())) {
    throw new Error(
      `npm has no Node.js ${PINNED_NODE} for this machine: install it (https://nodejs.org) and run this again with it`,
    )
  }
}

function localPnpm() {
  return join(local, 'pnpm', 'node_modules', '.bin', 'pnpm')
}

/** A pnpm of the required major version, from PATH or installed here earlier; else null. */
function findPnpm() {
  const requiredMajor = /\d+/.exec(manifest.engines.pnpm)[0]
  return (
    ['pnpm', localPnpm()].find((command) => {
      const { status, stdout } = spawnSync(command, ['--version'], { cwd: repoRoot, encoding: 'utf8' })
      return status === 0 && stdout.trim().split('.')[0] === requiredMajor
    }) ?? null
  )
}

async function installPnpm() {
  const folder = join(local, 'pnpm')
  mkdirSync(folder, { recursive: true })
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    `pnpm@${manifest.engines.pnpm}`,
  ])
  return localPnpm()
}

/** Does the work unless it succeeded before with the same files and its result still exists (`isDone`). */
async function runOnce(name, listFiles, isDone, work) {
  const stampPath = join(local, `${name}.stamp`)
  const before = fingerprint(listFiles())
  if (isDone && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === before) return
  if (existsSync(stampPath)) unlinkSync(stampPath)
  await work()
  // The fingerprint from before the work, so that edits made meanwhile count as new.
  writeFileSync(stampPath, before)
}

function fingerprint(paths) {
  const hash = createHash('sha256').update(process.version)
  for (const path of paths.sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function dependencyFiles() {
  const inRoot = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc']
  return existing([...inRoot, ...packageFolders().map((folder) => `${folder}/package.json`)])
}

function sourceFiles() {
  const inRoot = [
    'package.json',
    'pnpm-lock.yaml',
    'tsconfig.json',
    'tsconfig.base.json',
    'tools/bundle.mjs',
    'tools/generate.mjs',
    'tools/generate-client.mjs',
    'tools/published-packages.mjs',
    'tools/service-names.mjs',
    'docs/openapi.json',
    'docs/asyncapi.json',
  ]
  const inPackage = ['package.json', 'tsconfig.json', 'tsconfig.commonjs.json', 'prisma.config.ts']
  const folders = builtFolders()
  return [
    ...existing([...inRoot, ...folders.flatMap((folder) => inPackage.map((name) => `${folder}/${name}`))]),
    ...listFiles(join(repoRoot, 'tools', 'client')),
    ...listFiles(join(repoRoot, 'tools', 'bundle')),
    ...folders.flatMap((folder) =>
      ['src', 'prisma', 'migrations'].flatMap((name) => listFiles(join(repoRoot, folder, name))),
    ),
  ]
}

function isBuilt() {
  return builtFolders().every((folder) => existsSync(join(repoRoot, folder, 'dist')))
}

/** Folders that `tsc -b` builds. A package that is also built for `require` has a second project in its folder. */
function builtFolders() {
  const { references } = JSON.parse(readFileSync(join(repoRoot, 'tsconfig.json'), 'utf8'))
  return [...new Set(references.map(({ path }) => (path.endsWith('.json') ? dirname(path) : path)))]
}

/** Folders of pnpm's workspace, listed by name or as `<folder>/*`. Parsed by hand, since no YAML library is installed yet. */
function packageFolders() {
  const text = readFileSync(join(repoRoot, 'pnpm-workspace.yaml'), 'utf8')
  const [, list = ''] = /^packages:\n((?: +- .+\n)+)/m.exec(text) ?? []
  const patterns = [...list.matchAll(/^ +- (.+)$/gm)].map(([, pattern]) => pattern)
  if (patterns.length === 0)
    throw new Error('pnpm-workspace.yaml lists no packages in a form that this program can parse')
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    return readdirSync(join(repoRoot, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${parent}/${name}`)
  })
}

function existing(paths) {
  return paths.map((path) => join(repoRoot, path)).filter((path) => existsSync(path))
}

function listFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Output of the build must not make it look out of date.
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : listFiles(path)
    return [path]
  })
}

async function run(command, args, extraEnv = {}) {
  const child = spawn(command, args, {
    cwd: repoRoot,
    env: { ...workspaceEnvironment(), ...extraEnv },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...result) => resolve(result))
  })
  if (code === 0) return
  const text = Buffer.concat(output).toString('utf8').trimEnd()
  throw new Error(`${text}\n\n${command} ${args.join(' ')} failed (${signal ?? `exit code ${code}`})`)
}
