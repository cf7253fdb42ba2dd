import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { repoRoot } from '../repo-root.ts'
import type { ProcessRunner } from './process-runner.ts'

const MAX_REASON_CHARACTERS = 400
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

export interface VitestResult {
  passed: number
  failed: number
  failures: { file: string; name: string; reason: string }[]
  /** Names of failed tests and files. */
  failedNames: string[]
  files: { name: string; seconds: number }[]
}

/** The parts of Vitest's JSON report that are used. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
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
  const { testResults, numPassedTests, numFailedTests }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const failures = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      // The form that `-t` matches.
      .map(({ ancestorTitles, title, failureMessages }) => ({
        file: relative(repoRoot, file),
        name: [...ancestorTitles, title].join(' > '),
        reason: failureMessages.map(summarizeFailure).join('; '),
      })),
  )
  // A file that can't be loaded, or whose setup fails, has no failed tests.
  const failedFiles = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(repoRoot, name))
    .filter((name) => failures.every(({ file }) => file !== name))
  return {
    passed: numPassedTests,
    // A failure outside of any test shows only in the exit code.
    failed: Math.max(numFailedTests + failedFiles.length, code === 0 ? 0 : 1),
    failures,
    failedNames: [...failedFiles, ...failures.map(({ file, name, reason }) => `${file}: ${name}: ${reason}`)],
    files: testResults.map(({ name, startTime, endTime }) => ({
      name: relative(repoRoot, name),
      seconds: (endTime - startTime) / 1_000,
    })),
  }
}

/** A failure in one line without its stack, for the summary at the end of a long output. */
function summarizeFailure(message: string): string {
  const [what = ''] = stripVTControlCharacters(message).split(/\n\s+at /)
  return what.replace(/\s+/g, ' ').slice(0, MAX_REASON_CHARACTERS)
}
