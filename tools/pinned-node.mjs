// @ts-check
// Prints the path of the Node.js of `.node-version`, which all programs run on, as TypeScript without compiling it. Installs
// it first if needed. Scripts of package.json begin with it: `exec "$(node tools/pinned-node.mjs)" tools/start.ts`. It is the
// only program that must also run on the oldest Node.js in `engines`, before anything is installed, so it is JavaScript.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repoRoot = dirname(dirname(fileURLToPath(import.meta.url)))
const local = join(repoRoot, '.local')
const version = readFileSync(join(repoRoot, '.node-version'), 'utf8').trim()
const installed = join(local, 'node', 'node_modules', 'node', 'bin', 'node')

try {
  checkVersion()
  if (process.versions.node !== version && !isPinned(installed)) install()
  console.log(process.versions.node === version ? process.execPath : installed)
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  // The program that the shell runs then: it only fails.
  console.log('false')
}

/** Throws if this Node.js is older than `engines` allows. */
function checkVersion() {
  const { engines } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
  const oldest = engines.node.replace('>=', '')
  if (process.versions.node.localeCompare(oldest, 'en', { numeric: true }) >= 0) return
  throw new Error(
    `Node ${oldest} or newer is needed, this is ${process.versions.node}: see https://nodejs.org`,
  )
}

/** @param {string} node */
function isPinned(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
}

/** Only stdout is the path. The folder is renamed once it is complete, so that processes may do this at the same time. */
function install() {
  console.error(`installing Node.js ${version}`)
  mkdirSync(local, { recursive: true })
  const folder = mkdtempSync(join(local, 'node-'))
  try {
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', `node@${version}`]
    const { status, error, stderr } = spawnSync('npm', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm ${args.join(' ')} failed: ${error?.message ?? stderr.trimEnd()}`)
    if (!isPinned(join(folder, 'node_modules', 'node', 'bin', 'node')))
      throw new Error(
        `npm has no Node.js ${version} for this machine: install it (https://nodejs.org) and run this again with it`,
      )
    if (isPinned(installed)) return
    rmSync(join(local, 'node'), { recursive: true, force: true })
    renameSync(folder, join(local, 'node'))
  } catch (err) {
    if (!isPinned(installed)) throw err
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
