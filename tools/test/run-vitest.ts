import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { repoRoot } from '../repo-root.ts'
import type { ProcessRunner } from './process-runner.ts'

const MAX_REASON_CHARACTERS = 400
/** Of a file: hooks inside of suites, and processes that end, have no message in the report. */
const NO_REASON = 'a hook failed, or the process of the tests crashed; see above'
/** Each test file has a process, and commands in tests have theirs: all keep compiled code where services do. */
const COMPILE_CACHE = join(repoRoot, '.local', 'compile-cache')

interface VitestRun {
  project: string
  /** The file of the report. */
  report: string
  workers: number
  env: Record<string, string>
  /** Further options, such as patterns of files. */
  options: string[]
}

/** A failed test, or a file that couldn't be loaded, or whose setup failed. */
export interface Failure {
  file: string
  /** Of the test, in the form that `-t` matches; null for a file. */
  name: string | null
  reason: string
}

export interface VitestResult {
  passed: number
  failed: number
  failures: Failure[]
  files: { name: string; seconds: number; passed: number }[]
}

/** The parts of Vitest's JSON report that are used. */
interface Report {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    /** Why the file failed. */
    message: string
    startTime: number
    endTime: number
    assertionResults: { status: string; ancestorTitles: string[]; title: string; failureMessages: string[] }[]
  }[]
}

/** Runs Vitest; returns its results, or null if it wrote no report. */
export async function runVitest(
  { run }: Pick<ProcessRunner, 'run'>,
  { project, report, workers, env, options }: VitestRun,
): Promise<VitestResult | null> {
  rmSync(report, { force: true })
  const code = await run(
    'vitest',
    [
      ...['run', '--project', project, '--maxWorkers', String(workers), '--passWithNoTests'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...options,
    ],
    { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
  )
  if (!existsSync(report)) return null
  const { testResults, numPassedTests }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const failures = testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const file = relative(repoRoot, name)
    const failedTests = assertionResults.filter((test) => test.status === 'failed')
    const summaries = failedTests.map(({ ancestorTitles, title, failureMessages }) => ({
      name: [...ancestorTitles, title].join(' > '),
      reason: failureMessages.map(summarizeFailure).join('; '),
    }))
    // Beside a failed test, others that didn't run may have lost a hook or their process: the whole file counts as failed.
    const haveAllRun = assertionResults.every((test) => test.status === 'passed' || test.status === 'failed')
    if (failedTests.length > 0 && haveAllRun) return summaries.map((summary) => ({ file, ...summary }))
    if (status !== 'failed') return []
    const reasons = summaries.map((summary) => `${summary.name}: ${summary.reason}`)
    return [{ file, name: null, reason: reasons.join('; ') || summarizeFailure(message) || NO_REASON }]
  })
  return {
    passed: numPassedTests,
    // A failure outside of any test shows only in the exit code.
    failed: Math.max(failures.length, code === 0 ? 0 : 1),
    failures,
    files: testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      name: relative(repoRoot, name),
      seconds: (endTime - startTime) / 1_000,
      passed: assertionResults.filter((test) => test.status === 'passed').length,
    })),
  }
}

export const describeFailure = ({ file, name, reason }: Failure): string =>
  [file, name ?? [], reason].flat().join(': ')

/** A failure in one line without its stack, for the summary at the end of a long output. */
function summarizeFailure(message: string): string {
  const [what = ''] = stripVTControlCharacters(message).split(/\n\s+at /)
  return what.replace(/\s+/g, ' ').slice(0, MAX_REASON_CHARACTERS)
}
