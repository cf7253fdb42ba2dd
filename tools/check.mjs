// `npm run check`: everything that can be said about the code without running it. One line per step, the whole
// output of a step that fails, and a summary at the end. Nothing is changed but dist/.
//
//   npm run check               all steps
//   npm run check -- lint types   only these

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot, workspaceEnvironment } from './bootstrap.mjs'

const RULES = join(repoRoot, '.dependency-cruiser.cjs')
/** Names as the shell gives them to this tool; a folder without TypeScript is no error. */
const SOURCES = ['clients', 'libs', 'services', 'manage', 'tests', 'tools']

const steps = {
  format: () => run('biome', ['check', '--error-on-warnings', '.']),
  generate: () => run('node', [join('tools', 'generate.mjs')]),
  types: () => run('tsc', ['-b']),
  bundles: () => run('node', [join('tools', 'bundle.mjs')]),
  'types of tests': () => run('tsc', ['-p', 'tsconfig.test.json']),
  lint: () => run('oxlint', ['--type-aware', '--deny-warnings']),
  dependencies: () => run('depcruise', ['--config', RULES, '--output-type', 'err', ...SOURCES]),
  'dependency canary': checkCanary,
  unused: () => run('knip', ['--no-config-hints']),
  documents: () => run('node', [join('tools', 'api-documents.mjs'), '--check']),
  configuration: () => run('node', [join('tools', 'configuration-document.mjs'), '--check']),
  licences: () => run('node', [join('tools', 'licences.mjs'), '--check']),
  manifests: () => run('node', [join('tools', 'kubernetes.mjs'), '--check']),
  dashboards: () => run('node', [join('tools', 'observability.mjs'), '--check']),
}

/** What they write is what the others look at, who go side by side. */
const GOES_FIRST = ['format', 'generate', 'types', 'bundles']
const AT_ONCE = 2

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in steps))
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(', ')}; there are: ${Object.keys(steps).join(', ')}`)
  process.exit(2)
}

const failed = []
const startedAt = Date.now()
const wanted = Object.keys(steps).filter((name) => chosen.length === 0 || chosen.includes(name))
for (const name of wanted.filter((each) => GOES_FIRST.includes(each))) await take(name)
const others = wanted.filter((name) => !GOES_FIRST.includes(name))
const takeOthers = async () => {
  for (let name = others.shift(); name; name = others.shift()) await take(name)
}
await Promise.all(Array.from({ length: AT_ONCE }, takeOthers))
const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
console.log(
  failed.length === 0 ? `checks passed (${seconds} s)` : `checks failed: ${failed.join(', ')} (${seconds} s)`,
)
process.exitCode = failed.length === 0 ? 0 : 1

/** Runs a step, and says how it ended. */
async function take(name) {
  const stepStartedAt = Date.now()
  const { isGood, output } = await steps[name]()
  const took = ((Date.now() - stepStartedAt) / 1000).toFixed(1)
  console.log(`${isGood ? '✓' : '✗'} ${name} (${took} s)`)
  if (isGood) return
  failed.push(name)
  console.log(output.trimEnd().replaceAll(/^/gm, '    '))
}

/**
 * A tool that stops seeing imports finds nothing wrong. So a service that imports another, if only its types,
 * is made up, and must be found.
 */
async function checkCanary() {
  mkdirSync(join(repoRoot, '.local'), { recursive: true })
  const folder = mkdtempSync(join(repoRoot, '.local', 'canary-'))
  try {
    const files = {
      'services/users/src/canary.ts':
        "import type { Prey } from '../../realm/src/prey.ts'\nexport type Canary = Prey\n",
      'services/realm/src/prey.ts': 'export type Prey = string\n',
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { output } = await run('depcruise', ['--config', RULES, '--output-type', 'err', 'services'], folder)
    const isGood = output.includes('error no-service-imports-a-service')
    return { isGood, output: `A service that imports another was not found:\n${output}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(command, args, cwd = repoRoot) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...workspaceEnvironment(), FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (err) => resolve({ isGood: false, output: `${command}: ${err.message}` }))
    child.once('close', (code) => resolve({ isGood: code === 0, output: Buffer.concat(chunks).toString() }))
  })
}
