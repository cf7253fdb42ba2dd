// `npm test`: checks, unit, architecture and system tests, over real servers. Everything runs, so that one
// failure doesn't hide another; the last line is `N passed, N failed`.
//
//   npm test                      everything
//   npm test -- unit              only these projects: unit, architecture, system
//   npm test -- system fault      only system tests whose file name matches

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createProgress, prepareWorkspace, repoRoot, workspaceEnvironment } from './bootstrap.mjs'

const PROJECTS = ['unit', 'architecture', 'system']
const args = process.argv.slice(2)
if (args.includes('--help')) {
  console.log(
    'npm test [-- unit|architecture|system [name pattern]]   Runs the tests; all of them without arguments.',
  )
  process.exit(0)
}
const chosen = PROJECTS.filter((project) => args.includes(project))
const patterns = args.filter((arg) => !PROJECTS.includes(arg))
const projects = chosen.length > 0 ? chosen : PROJECTS

const run = (command, commandArgs, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, commandArgs, {
      cwd: repoRoot,
      stdio: 'inherit',
      env: { ...workspaceEnvironment(), ...env },
    })
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
    child.on('exit', (code) => resolve(code ?? 1))
  })

let passed = 0
let failed = 0
try {
  await prepareWorkspace(createProgress())
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  console.log('0 passed, 1 failed')
  process.exit(1)
}

if (chosen.length === 0) {
  if ((await run('node', [join('tools', 'check.mjs')])) === 0) passed += 1
  else failed += 1
}

const reports = join(repoRoot, '.local', 'test-reports')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
for (const project of projects) {
  const report = join(reports, `${project}.json`)
  // System tests start servers of their own; one after another, they have the machine to themselves.
  const serial = project === 'system' ? ['--runInBand', '--forceExit'] : []
  const code = await run(
    'jest',
    [
      '--selectProjects',
      project,
      '--json',
      `--outputFile=${report}`,
      '--passWithNoTests',
      ...serial,
      ...patterns,
    ],
    { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
  )
  if (!existsSync(report)) {
    failed += 1
    continue
  }
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed += result.numPassedTests
  // A file that can't even be loaded has no failed test of its own.
  failed += Math.max(result.numFailedTests + result.numRuntimeErrorTestSuites, code === 0 ? 0 : 1)
}

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
