// `npm test`: checks, and unit, architecture and system tests on real servers. Everything runs, so that one failure doesn't
// hide another; the last lines show the duration of each phase and of the slowest files, failures, and `N passed, N failed`.
// If only a few tests fail, they run once more alone: a test that passes then doesn't fail the run, but is reported as
// unsteady, and is a defect to fix.
//
//   npm test                      everything
//   npm test -- unit              only these projects: unit, architecture, system
//   npm test -- system fault      only system tests whose file name matches

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'
import { createRunner } from './test/process-runner.ts'
import { runVitest, type VitestResult } from './test/run-vitest.ts'
import { waitingFiles } from './test/waiting-files.ts'

const PROJECTS = ['unit', 'architecture', 'system']
/**
 * A system under test is eight processes and the servers. With more systems that compute than this, or than cores, each gets
 * too little CPU, and operations miss their time limits. One whose tests mostly wait runs beside them.
 */
const MAX_SYSTEMS = 4
/** Files of other tests that run in parallel; some mostly wait for time to pass. */
const MAX_FILES = 2 * availableParallelism()
/** At most so many failed tests are retried; more failures are no accident. */
const MAX_RETRIED_TESTS = 3
/** How many of the slowest files the summary lists. */
const SLOWEST_FILES = 10
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

const runner = createRunner()

let passed = 0
let failed = 0
/** Tests that failed once and passed when run alone. */
const unsteady: string[] = []
/** Names of failed tests and files. */
const failedNames: string[] = []
/** Durations of phases and of test files. */
const phases: { name: string; seconds: number }[] = []
const files: VitestResult['files'] = []
try {
  await prepareWorkspace(createProgress())
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  console.log('0 passed, 1 failed')
  process.exit(1)
}

if (chosen.length === 0) {
  const isClean = await measurePhase(
    'checks',
    async () => (await runner.run('node', [join('tools', 'check.ts')])) === 0,
  )
  if (isClean) passed += 1
  else {
    failed += 1
    failedNames.push('checks')
  }
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
for (const project of projects) {
  if (runner.isInterrupted()) break
  await measurePhase(project, () =>
    project === 'system'
      ? runSystemTests()
      : runProject(project, [{ report: project, workers: MAX_FILES, options: patterns }]),
  )
}

const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_FILES)
for (const { name, seconds } of slowest) console.log(`${formatDuration(seconds)}  ${name}`)
console.log(phases.map(({ name, seconds }) => `${name} ${formatDuration(seconds)}`).join(', '))
for (const name of failedNames) console.log(`FAILED: ${name}`)
for (const name of unsteady) console.log(`UNSTEADY, failed once and passed when run alone: ${name}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && !runner.isInterrupted() ? 0 : 1

/** Runs a phase and records its duration. */
async function measurePhase<T>(name: string, phase: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await phase()
  phases.push({ name, seconds: (performance.now() - startedAt) / 1_000 })
  return result
}

function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

/** Runs the test files in parallel on shared servers; files that stop servers have their own. */
async function runSystemTests(): Promise<void> {
  const { endLeftovers, startSharedServers } = await import('../libs/test-kit/dist/index.js')
  const dataDir = mkdtempSync(join(tmpdir(), 'tms-tests-'))
  // As root, PostgreSQL runs as another user, who must be able to reach its files here; else they would be elsewhere and stay.
  chmodSync(dataDir, 0o711)
  try {
    const shared = await startSharedServers({ dataDir: join(dataDir, 'shared'), env: process.env })
    try {
      const variables = { ...shared.variables, TEST_DATA_DIR: dataDir }
      if (!runner.isInterrupted()) await runProject('system', lanesOfSystemTests(), variables)
    } finally {
      await shared.stop()
    }
  } catch (err) {
    console.error(err instanceof Error ? err.message : err)
    failed += 1
    failedNames.push('the servers of the system tests')
  } finally {
    // An interrupted or crashed test file leaves processes behind.
    await endLeftovers(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Files that run one after the other, as many at a time as there are workers. */
interface Lane {
  /** Name of its report. */
  report: string
  workers: number
  /** Options of Vitest that choose the files. */
  options: string[]
}

/** Files that mostly wait have a lane of their own, and so leave no core idle. */
function lanesOfSystemTests(): Lane[] {
  const workers = Math.min(MAX_SYSTEMS, availableParallelism())
  if (patterns.length > 0) return [{ report: 'system', workers, options: patterns }]
  const options = waitingFiles.flatMap((file) => ['--exclude', file])
  return [
    { report: 'system', workers, options },
    { report: 'system-waiting', workers: 1, options: [...waitingFiles] },
  ]
}

async function runProject(project: string, lanes: Lane[], env: Record<string, string> = {}): Promise<void> {
  const results = await Promise.all(
    lanes.map(({ report, workers, options }) =>
      runVitest(runner, { project, report: join(reports, `${report}.json`), workers, env, options }),
    ),
  )
  const known = results.filter((result) => result !== null)
  const unknown = results.length - known.length
  failed += unknown
  if (unknown > 0) failedNames.push(project)
  passed += sumOf(known.map((result) => result.passed))
  files.push(...known.flatMap((result) => result.files))
  const failures = known.flatMap((result) => result.failures)
  const failedTests = sumOf(known.map((result) => result.failed))
  const retried = failures.length === failedTests ? failures : []
  if (retried.length === 0 || retried.length > MAX_RETRIED_TESTS || runner.isInterrupted()) {
    failed += failedTests
    failedNames.push(...known.flatMap((result) => result.failedNames))
    return
  }
  console.log(`\nRunning again, alone: ${retried.map(({ name }) => name).join(', ')}`)
  const names = retried.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  const filesOfFailures = [...new Set(retried.map(({ file }) => file))]
  const alone = await runVitest(runner, {
    ...{ project, report: join(reports, `${project}.json`), workers: 1, env },
    options: ['-t', `^(${names})$`, ...filesOfFailures],
  })
  const haveAllPassed = alone?.failed === 0 && alone.passed === retried.length
  passed += haveAllPassed ? retried.length : 0
  failed += haveAllPassed ? 0 : retried.length
  ;(haveAllPassed ? unsteady : failedNames).push(...retried.map(({ name, reason }) => `${name}: ${reason}`))
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
