// `npm test`: checks, and unit, architecture and system tests on real servers. Everything runs, so that one failure doesn't
// hide another; the last lines show the duration of each phase and of the slowest files, failures, and `N passed, N failed`.
// If only a few tests or files fail, they run once more alone: what passes then doesn't fail the run, but is reported as
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
import { describeFailure, type Failure, runVitest, type VitestResult } from './test/run-vitest.ts'
import { waitingFiles } from './test/waiting-files.ts'

const PROJECTS = ['unit', 'architecture', 'system']
/**
 * A system under test is eight processes and the servers. With more systems that compute than this, or than cores, each gets
 * too little CPU, and operations miss their time limits. One whose tests mostly wait runs beside them.
 */
const MAX_SYSTEMS = 4
/** Files of other tests that run in parallel; some mostly wait for time to pass. */
const MAX_FILES = 2 * availableParallelism()
/** At most so many failed tests and files are retried; more failures are no accident. */
const MAX_RETRIED = 5
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
// Side by side, fewer of each if both run: files of one wait while those of the other compute.
const small = projects.filter((project) => project !== 'system')
if (small.length > 0 && !runner.isInterrupted()) {
  await measurePhase(small.join(' and '), () =>
    runLanes(
      small.map((project) => ({
        project,
        report: project,
        workers: MAX_FILES + 1 - small.length,
        options: patterns,
      })),
    ),
  )
}
if (projects.includes('system') && !runner.isInterrupted()) await measurePhase('system', runSystemTests)

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
      if (!runner.isInterrupted()) await runLanes(lanesOfSystemTests(), variables)
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
  project: string
  /** Name of its report. */
  report: string
  workers: number
  /** Options of Vitest that choose the files. */
  options: string[]
}

/** Files that mostly wait have a lane of their own, and so leave no core idle. */
function lanesOfSystemTests(): Lane[] {
  const workers = Math.min(MAX_SYSTEMS, availableParallelism())
  const system = { project: 'system' }
  if (patterns.length > 0) return [{ ...system, report: 'system', workers, options: patterns }]
  const options = waitingFiles.flatMap((file) => ['--exclude', file])
  return [
    { ...system, report: 'system', workers, options },
    { ...system, report: 'system-waiting', workers: 1, options: [...waitingFiles] },
  ]
}

/** Runs lanes side by side; then, alone, what failed in any of them, if that isn't much. */
async function runLanes(lanes: Lane[], env: Record<string, string> = {}): Promise<void> {
  const results = await Promise.all(
    lanes.map(({ project, report, workers, options }) =>
      runVitest(runner, { project, report: join(reports, `${report}.json`), workers, env, options }),
    ),
  )
  const failedTests = results.reduce((sum, result) => sum + (result?.failed ?? 0), 0)
  const retried: { project: string; failures: Failure[] }[] = []
  for (const [index, { project }] of lanes.entries()) {
    const result = results[index]
    if (!result) {
      failed += 1
      failedNames.push(project)
      continue
    }
    passed += result.passed
    files.push(...result.files)
    const mayRunAgain = result.failures.length === result.failed && failedTests <= MAX_RETRIED
    if (mayRunAgain && !runner.isInterrupted()) retried.push({ project, failures: result.failures })
    else {
      failed += result.failed
      failedNames.push(...result.failures.map(describeFailure))
      if (result.failed > 0 && result.failures.length === 0)
        failedNames.push(`${project}: an error outside of tests; see above`)
    }
  }
  for (const { project, failures } of retried) {
    if (failures.length > 0) await runAlone(project, failures, env)
  }
}

async function runAlone(project: string, failures: Failure[], env: Record<string, string>): Promise<void> {
  console.log(`\nRunning again, alone: ${failures.map(({ name, file }) => name ?? file).join(', ')}`)
  const tests = failures.filter(({ name }) => name !== null)
  const names = tests.flatMap(({ name }) => name?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') ?? [])
  await runFailuresAlone(tests, {
    ...{ project, env, options: ['-t', `^(${names.join('|')})$`], report: 'tests' },
    countPassed: (alone) => (alone.passed === tests.length ? alone.passed : null),
  })
  const passedBefore = (file: string) => files.find(({ name }) => name === file)?.passed ?? 0
  await runFailuresAlone(
    failures.filter(({ name }) => name === null),
    {
      ...{ project, env, options: [], report: 'files' },
      countPassed: (alone) =>
        alone.files.every((file) => file.passed > 0)
          ? alone.files.reduce((sum, file) => sum + Math.max(0, file.passed - passedBefore(file.name)), 0)
          : null,
    },
  )
}

interface RunAlone {
  readonly project: string
  readonly env: Record<string, string>
  readonly options: string[]
  readonly report: string
  /** How many passed that had not passed before; null if something that failed before didn't run. */
  readonly countPassed: (alone: VitestResult) => number | null
}

async function runFailuresAlone(
  failures: Failure[],
  { project, env, options, report, countPassed }: RunAlone,
): Promise<void> {
  if (failures.length === 0) return
  const alone = runner.isInterrupted()
    ? null
    : await runVitest(runner, {
        ...{ project, report: join(reports, `${project}-alone-${report}.json`), workers: 1, env },
        options: [...options, ...new Set(failures.map(({ file }) => file))],
      })
  const newlyPassed = alone?.failed === 0 ? countPassed(alone) : null
  passed += newlyPassed ?? 0
  failed += newlyPassed === null ? failures.length : 0
  ;(newlyPassed === null ? failedNames : unsteady).push(...failures.map(describeFailure))
}
