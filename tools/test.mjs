// `npm test`: checks, unit, architecture and system tests, over real servers. Everything runs, so that one
// failure doesn't hide another; the last lines say how long each phase and the slowest files took, what failed, and
// `N passed, N failed`. A few tests that fail run once more by themselves: what passes then does not fail the run, but is
// named as unsteady, and is a defect to mend.
//
//   npm test                      everything
//   npm test -- unit              only these projects: unit, architecture, system
//   npm test -- system fault      only system tests whose file name matches

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createProgress, prepareWorkspace, repoRoot, workspaceEnvironment } from './bootstrap.mjs'

const PROJECTS = ['unit', 'architecture', 'system']
/**
 * A system under test is eight processes and the servers: with more of them at once, or one more than there are cores, each
 * gets too little, and what is to happen within seconds doesn't.
 */
const MAX_SYSTEMS = 4
/** So many files of other tests run side by side: some of them mostly wait for time to pass. */
const MAX_FILES = 2 * availableParallelism()
/** So many failed tests get a second try, alone; more of them are no accident. */
const MAX_UNSTEADY = 3
/** So many files are named with the time they took, so that a growing suite is noticed. */
const SLOWEST_FILES = 10
const MAX_REASON_CHARACTERS = 400
const reports = join(repoRoot, '.local', 'test-reports')
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

/** What runs at the moment, and gets our signals. */
const running = new Set()
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true
    for (const { pid } of running) process.kill(-pid, signal)
  })
}

let passed = 0
let failed = 0
/** Tests that failed once and passed by themselves. */
const unsteady = []
/** Names of the tests and files that failed. */
const broken = []
/** What took how long: phases, and files of tests. */
const phases = []
const files = []
try {
  await prepareWorkspace(createProgress())
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  console.log('0 passed, 1 failed')
  process.exit(1)
}

if (chosen.length === 0) {
  const isClean = await timed('checks', async () => (await run('node', [join('tools', 'check.mjs')])) === 0)
  if (isClean) passed += 1
  else {
    failed += 1
    broken.push('checks')
  }
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
for (const project of projects) {
  if (isInterrupted) break
  await timed(project, () => (project === 'system' ? runSystemTests() : runProject(project, MAX_FILES)))
}

const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_FILES)
for (const { name, seconds } of slowest) console.log(`${asDuration(seconds)}  ${name}`)
console.log(phases.map(({ name, seconds }) => `${name} ${asDuration(seconds)}`).join(', '))
for (const name of broken) console.log(`FAILED: ${name}`)
for (const name of unsteady) console.log(`UNSTEADY, failed once and passed by itself: ${name}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && !isInterrupted ? 0 : 1

/** Runs a phase, and notes how long it took. */
async function timed(name, phase) {
  const begun = performance.now()
  const result = await phase()
  phases.push({ name, seconds: (performance.now() - begun) / 1_000 })
  return result
}

function asDuration(seconds) {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

/** Test files run side by side on servers that they share, but for those that stop servers. */
async function runSystemTests() {
  const { endLeftovers, startSharedServers } = await import('../libs/test-kit/dist/index.js')
  const dataDir = mkdtempSync(join(tmpdir(), 'tms-tests-'))
  // PostgreSQL doesn't run as root; kept out it has its files elsewhere, and they stay.
  chmodSync(dataDir, 0o711)
  try {
    const shared = await startSharedServers({ dataDir: join(dataDir, 'shared'), env: process.env })
    try {
      const systems = Math.min(MAX_SYSTEMS, availableParallelism())
      const variables = { ...shared.variables, TEST_DATA_DIR: dataDir }
      if (!isInterrupted) await runProject('system', systems, variables)
    } finally {
      await shared.stop()
    }
  } catch (err) {
    console.error(err instanceof Error ? err.message : err)
    failed += 1
    broken.push('the servers of the system tests')
  } finally {
    // A test file that was interrupted, or has crashed, leaves its processes behind.
    await endLeftovers(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function runProject(project, workers, env = {}) {
  const result = await runVitest(project, workers, env, patterns)
  if (!result) {
    failed += 1
    broken.push(project)
    return
  }
  passed += result.passed
  files.push(...result.files)
  const again = result.failures.length === result.failed ? result.failures : []
  if (again.length === 0 || again.length > MAX_UNSTEADY || isInterrupted) {
    failed += result.failed
    broken.push(...result.broken)
    return
  }
  console.log(`\nOnce more, by itself: ${again.map(({ name }) => name).join(', ')}`)
  const names = again.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const filesOfFailures = [...new Set(again.map(({ file }) => file))]
  const alone = await runVitest(project, 1, env, ['-t', `^(${names})$`, ...filesOfFailures])
  const isMended = alone?.failed === 0 && alone.passed === again.length
  passed += isMended ? again.length : 0
  failed += isMended ? 0 : again.length
  ;(isMended ? unsteady : broken).push(...again.map(({ name, reason }) => `${name}: ${reason}`))
}

/** Runs Vitest; what came of it, or null if it didn't get as far as that. */
async function runVitest(project, workers, env, options) {
  const report = join(reports, `${project}.json`)
  rmSync(report, { force: true })
  const code = await run(
    'vitest',
    [
      ...['run', '--project', project, '--maxWorkers', String(workers), '--passWithNoTests'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...options,
    ],
    env,
  )
  if (!existsSync(report)) return null
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  const failures = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      // As `-t` takes it.
      .map(({ ancestorTitles, title, failureMessages }) => ({
        file: relative(repoRoot, file),
        name: [...ancestorTitles, title].join(' > '),
        reason: failureMessages.map(asReason).join('; '),
      })),
  )
  // A file that can't be loaded, or whose preparation fails, has no failed test of its own.
  const unprepared = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(repoRoot, name))
    .filter((name) => failures.every(({ file }) => file !== name))
  return {
    passed: numPassedTests,
    // What fails outside of any test ends the run with a code alone.
    failed: Math.max(numFailedTests + unprepared.length, code === 0 ? 0 : 1),
    failures,
    broken: [...unprepared, ...failures.map(({ file, name, reason }) => `${file}: ${name}: ${reason}`)],
    files: testResults.map(({ name, startTime, endTime }) => ({
      name: relative(repoRoot, name),
      seconds: (endTime - startTime) / 1_000,
    })),
  }
}

/** What a failure says in a line, without the way to it: whoever has but the end of a long output finds the reason there. */
function asReason(message) {
  const [what] = stripVTControlCharacters(message).split(/\n\s+at /)
  return what.replace(/\s+/g, ' ').slice(0, MAX_REASON_CHARACTERS)
}

async function run(command, commandArgs, env = {}) {
  const child = spawn(command, commandArgs, {
    cwd: repoRoot,
    stdio: 'inherit',
    // A process group of its own, so that a signal ends its workers with it, and before we clean up.
    detached: true,
    env: { ...workspaceEnvironment(), ...env },
  })
  running.add(child)
  const code = await new Promise((resolve) => {
    child.once('exit', (status) => resolve(status ?? 1))
  })
  running.delete(child)
  return code
}
