import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { read, repoRoot } from './support/repository.ts'

// npm start and the other scripts on a machine with another Node.js than the pinned one.

let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'))
  cpSync(join(repoRoot, 'tools', 'pinned-node.mjs'), join(checkout, 'tools', 'pinned-node.mjs'))
  writeFileSync(join(checkout, '.node-version'), '99.1.0\n')
})
afterEach(() => rmSync(checkout, { recursive: true }))

/** Runs a script as npm does, with an `npm` that installs a Node.js of the given version. */
function run(script: string, { oldest = '20.19', available = '99.1.0' } = {}) {
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ engines: { node: `>=${oldest}` } }))
  const programs = join(checkout, 'bin')
  mkdirSync(programs, { recursive: true })
  const node = `#!/bin/sh\\n[ "$1" = --version ] && echo v${available} || echo "runs $*"\\n`
  writeFileSync(
    join(programs, 'npm'),
    `#!/bin/sh\necho "$*" >> ${checkout}/asked\nbin="$3/node_modules/node/bin"\nmkdir -p "$bin"\nprintf '${node}' > "$bin/node"\nchmod +x "$bin/node"\n`,
  )
  chmodSync(join(programs, 'npm'), 0o755)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd: checkout,
    encoding: 'utf8',
    env: { PATH: `${programs}:${process.env.PATH}` },
  })
  return { status, stdout, stderr }
}
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const start = `${scripts.start} --port 1`

test('installs the pinned Node.js once, and starts the program on it with its flags', () => {
  const first = run(start)
  const second = run(start)

  expect(first).toEqual({
    status: 0,
    stdout: 'runs tools/start.ts --port 1\n',
    stderr: 'installing Node.js 99.1.0\n',
  })
  expect(second).toEqual({ ...first, stderr: '' })
  expect(readdirSync(join(checkout, '.local'))).toEqual(['node'])
  expect(existsSync(join(checkout, 'node_modules'))).toBe(false)
})

test('replaces an installed Node.js when another version is pinned', () => {
  run(start)
  writeFileSync(join(checkout, '.node-version'), '99.2.0\n')

  expect(run(start, { available: '99.2.0' })).toMatchObject({
    status: 0,
    stderr: 'installing Node.js 99.2.0\n',
  })
})

test.each([
  [
    'this Node.js is too old',
    { oldest: '98.7' },
    /^Node 98\.7 or newer is needed, this is \d+\.\d+\.\d+: see .*\n$/,
  ],
  [
    'npm has no such Node.js',
    { available: '98.0.0' },
    /\nnpm has no Node\.js 99\.1\.0 for this machine: .*\n$/,
  ],
])('says that %s, and starts nothing', (_, conditions, reason) => {
  const { status, stdout, stderr } = run(start, conditions)

  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(reason)
})

test('all scripts that run a tool do so on the pinned Node.js', () => {
  const tools = Object.values(scripts).filter((script) => script.includes('tools/'))

  expect(tools.length).toBeGreaterThan(8)
  for (const script of tools)
    expect(script).toMatch(/exec "\$\(node tools\/pinned-node\.mjs\)" tools\/[\w-]+\.ts$/)
})
