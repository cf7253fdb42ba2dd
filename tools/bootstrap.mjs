// Brings a checkout to the state in which its programs can run: Node.js, pnpm, dependencies, build. Plain JavaScript
// without dependencies, because it runs before anything is installed. Each part is skipped when nothing that
// it depends on has changed since it last succeeded.

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
/** With this Node.js and newer ones, what prepares a checkout runs. */
const MIN_NODE = /\d+\.\d+/.exec(manifest.engines.node)[0]
/** On this one, everything else does. */
const PINNED_NODE = readFileSync(join(repoRoot, '.node-version'), 'utf8').trim()

/**
 * Installs and builds what is out of date. Throws an error with a readable message (the whole output of a
 * failed command included).
 *
 * @param {{ log?: (line: string) => void, status?: (text: string) => void }} [options] `log` gets a line per
 *   finished step; `status` gets what is under way, and '' when nothing is.
 */
export async function prepareWorkspace({ log = console.log, status = () => {} } = {}) {
  checkNode()
  const step = createStep(log, status)
  const unlock = await takeTurn(status)
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
 * The path of the pinned Node.js, which is installed where it is missing; that of this one, where it is the same. Throws an
 * error with a readable message.
 *
 * @param {{ log?: (line: string) => void, status?: (text: string) => void }} [options] As for `prepareWorkspace`.
 */
export async function prepareNode({ log = console.log, status = () => {} } = {}) {
  checkNode()
  if (process.versions.node === PINNED_NODE) return process.execPath
  if (isPinned(localNode())) return localNode()
  const unlock = await takeTurn(status)
  try {
    if (!isPinned(localNode())) {
      await createStep(log, status)(`installing Node.js ${PINNED_NODE}`, installNode)
    }
  } finally {
    unlock()
  }
  return localNode()
}

/** The environment for every child: pnpm and the pinned Node.js in PATH, and no download of an engine that nothing here needs. */
export function workspaceEnvironment() {
  const isOther = process.versions.node !== PINNED_NODE && isPinned(localNode())
  const ofNode = dirname(isOther ? localNode() : process.execPath)
  const paths = [join(repoRoot, 'node_modules', '.bin'), dirname(localPnpm()), ofNode, process.env.PATH]
  return { ...process.env, PATH: paths.join(delimiter), PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }
}

/** Throws when this Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [wantedMajor, wantedMinor] = MIN_NODE.split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw new Error(
    `Node ${MIN_NODE} or newer is needed, this is ${process.versions.node}: see https://nodejs.org`,
  )
}

/**
 * Functions that show progress on a stream: finished steps as lines, and on a terminal what is under way in a
 * last line that is overwritten.
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

/** Only one process at a time may install or build; the others wait, and then find it done. */
async function takeTurn(status) {
  const path = join(local, 'prepare.lock')
  mkdirSync(local, { recursive: true })
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (err) {
      if (err.code !== 'EEXIST') throw err
    }
    if (!isHeld(path)) {
      rmSync(path, { force: true })
      continue
    }
    status(`waiting for another build in this checkout (see ${path})`)
    await sleep(200)
  }
}

function isHeld(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // Still empty: it is being written right now, unless its writer died in that very moment.
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
      `npm has no Node.js ${PINNED_NODE} that runs here: install it (https://nodejs.org) and start anew with it`,
    )
  }
}

function localPnpm() {
  return join(local, 'pnpm', 'node_modules', '.bin', 'pnpm')
}

/** A pnpm of the wanted major version, in PATH or installed here earlier; else null. */
function findPnpm() {
  const wantedMajor = /\d+/.exec(manifest.engines.pnpm)[0]
  return (
    ['pnpm', localPnpm()].find((command) => {
      const { status, stdout } = spawnSync(command, ['--version'], { cwd: repoRoot, encoding: 'utf8' })
      return status === 0 && stdout.trim().split('.')[0] === wantedMajor
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

/** Does the work unless it succeeded before with the same files; `isDone` says whether its result is still there. */
async function runOnce(name, listFiles, isDone, work) {
  const stampPath = join(local, `${name}.stamp`)
  const before = fingerprint(listFiles())
  if (isDone && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === before) return
  if (existsSync(stampPath)) unlinkSync(stampPath)
  await work()
  // Taken before the work, so that what is edited meanwhile counts as new.
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

/** What `tsc -b` builds. A package that is built for `require` too has a second project in its folder. */
function builtFolders() {
  const { references } = JSON.parse(readFileSync(join(repoRoot, 'tsconfig.json'), 'utf8'))
  return [...new Set(references.map(({ path }) => (path.endsWith('.json') ? dirname(path) : path)))]
}

/** What pnpm installs for: its file names each folder, or as `<folder>/*` all in one. No library reads it before it is installed. */
function packageFolders() {
  const text = readFileSync(join(repoRoot, 'pnpm-workspace.yaml'), 'utf8')
  const [, list = ''] = /^packages:\n((?: +- .+\n)+)/m.exec(text) ?? []
  const patterns = [...list.matchAll(/^ +- (.+)$/gm)].map(([, pattern]) => pattern)
  if (patterns.length === 0)
    throw new Error('pnpm-workspace.yaml names no packages in the way this program reads')
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
    // What the build writes itself must not make it look out of date.
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
