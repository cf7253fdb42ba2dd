// `npm run check`: all static checks. Prints a line per step, the whole output of a step that fails, and a summary. Changes
// nothing but dist/.
//
//   npm run check               all steps
//   npm run check -- lint types   only these

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { workspaceEnvironment } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'

const RULES = join(repoRoot, '.dependency-cruiser.cjs')
interface StepResult {
  isGood: boolean
  output: string
}

/** Folders to check. */
const SOURCES = ['all-in-one', 'bench', 'clients', 'libs', 'services', 'manage', 'tests', 'tools']

/** Made-up files, and the rules that they break. */
const CANARY_FILES = {
  'services/users/src/canary.ts':
    "import type { Prey } from '../../realm/src/prey.ts'\nexport type Canary = Prey\n",
  'services/realm/src/prey.ts': 'export type Prey = string\n',
  'services/nest/src/kernel/eggs/egg.ts':
    "import type { Shell } from '../shells/shell.ts'\nexport type Egg = Shell\n",
  'services/nest/src/kernel/shells/shell.ts': 'export type Shell = string\n',
  'services/nest/src/kernel/eggs/perch.ts':
    "import type { Branch } from '../../branches/branch.ts'\nexport type Perch = Branch\n",
  'services/nest/src/kernel/shells/color.ts':
    "import type { Egg } from '../eggs/egg.ts'\nexport type Color = Egg\n",
  'services/nest/src/branches/branch.ts':
    "import type { Tree } from '../service.ts'\nexport type Branch = Tree\n",
  'services/nest/src/service.ts': 'export type Tree = string\n',
}
const CANARY_RULES = [
  'no-service-imports-a-service',
  'folders-import-one-way',
  'nothing-in-a-folder-imports-the-composition-root',
  'a-kernel-imports-only-itself',
]

const steps: Record<string, () => Promise<StepResult>> = {
  format: () => run('biome', ['check', '--error-on-warnings', '.']),
  lists: () => run('node', [join('tools', 'barrels.ts'), '--check']),
  generate: () => run('node', [join('tools', 'generate.ts')]),
  types: () => run('tsc', ['-b']),
  bundles: () => run('node', [join('tools', 'bundle.ts')]),
  'types of tests': checkTypesOfTests,
  lint: () => run('oxlint', ['--type-aware', '--deny-warnings']),
  dependencies: () => run('depcruise', ['--config', RULES, '--output-type', 'err', ...SOURCES]),
  'dependency canary': checkCanary,
  unused: () => run('knip', ['--no-config-hints']),
  documents: () => run('node', [join('tools', 'api-documents.ts'), '--check']),
  integrations: () => run('node', [join('tools', 'integrations-document.ts'), '--check']),
  readmes: () => run('node', [join('tools', 'readmes.ts'), '--check']),
  configuration: () => run('node', [join('tools', 'configuration-document.ts'), '--check']),
  capacity: () => run('node', [join('tools', 'capacity-document.ts'), '--check']),
  licences: () => run('node', [join('tools', 'licences.ts'), '--check']),
  manifests: () => run('node', [join('tools', 'kubernetes.ts'), '--check']),
  dashboards: () => run('node', [join('tools', 'observability.ts'), '--check']),
}

/** Projects without output: tests and tools, and what tools run in a browser. */
const TEST_PROJECTS = ['tsconfig.test.json', 'tools/observability/picture/tsconfig.json']

/** These run one by one, since the others read their output; the others run in parallel. */
const FIRST_STEPS = ['format', 'lists', 'generate', 'types', 'bundles']
const MAX_PARALLEL_STEPS = 2

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in steps))
if (unknown.length > 0) {
  console.error(`unknown step: ${unknown.join(', ')}; steps: ${Object.keys(steps).join(', ')}`)
  process.exit(2)
}

const failed: string[] = []
const startedAt = Date.now()
const requested = Object.entries(steps).filter(([name]) => chosen.length === 0 || chosen.includes(name))
for (const [name, work] of requested) if (FIRST_STEPS.includes(name)) await runStep(name, work)
const others = requested.filter(([name]) => !FIRST_STEPS.includes(name))
const runOtherSteps = async () => {
  for (let next = others.shift(); next; next = others.shift()) await runStep(...next)
}
await Promise.all(Array.from({ length: MAX_PARALLEL_STEPS }, runOtherSteps))
const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
console.log(
  failed.length === 0 ? `checks passed (${seconds} s)` : `checks failed: ${failed.join(', ')} (${seconds} s)`,
)
process.exitCode = failed.length === 0 ? 0 : 1

/** Runs a step and prints its result. */
async function runStep(name: string, work: () => Promise<StepResult>): Promise<void> {
  const stepStartedAt = Date.now()
  const { isGood, output } = await work()
  const took = ((Date.now() - stepStartedAt) / 1000).toFixed(1)
  console.log(`${isGood ? '✓' : '✗'} ${name} (${took} s)`)
  if (isGood) return
  failed.push(name)
  console.log(output.trimEnd().replaceAll(/^/gm, '    '))
}

async function checkTypesOfTests(): Promise<StepResult> {
  const results = await Promise.all(TEST_PROJECTS.map((project) => run('tsc', ['-p', project])))
  return {
    isGood: results.every(({ isGood }) => isGood),
    output: results.map(({ output }) => output).join(''),
  }
}

/**
 * Proves that the dependency check still works: it has to find what made-up services do wrong with imports of types. A tool
 * that no longer sees imports would report no errors.
 */
async function checkCanary(): Promise<StepResult> {
  mkdirSync(join(repoRoot, '.local'), { recursive: true })
  const folder = mkdtempSync(join(repoRoot, '.local', 'canary-'))
  try {
    for (const [path, text] of Object.entries(CANARY_FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { output } = await run('depcruise', ['--config', RULES, '--output-type', 'err', 'services'], folder)
    const missed = CANARY_RULES.filter((rule) => !output.includes(`error ${rule}`))
    return { isGood: missed.length === 0, output: `Not found: ${missed.join(', ')}\n${output}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(command: string, args: string[], cwd = repoRoot): Promise<StepResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...workspaceEnvironment(), FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', (err) => resolve({ isGood: false, output: `${command}: ${err.message}` }))
    child.once('close', (code) => resolve({ isGood: code === 0, output: Buffer.concat(chunks).toString() }))
  })
}
