// Writes the generated files of the Helm chart from tools/kubernetes/ and the services' declarations, and then deploy/kubernetes
// from what the chart renders. Build first. With --check it writes nothing, and fails if a file is out of date, missing, or no
// longer generated.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { allEndpoints, limits, queueTiming } from '../libs/contracts/dist/index.js'
import { chartFiles } from './kubernetes/chart-files.ts'
import { components } from './kubernetes/components.ts'
import { kustomizeFiles } from './kubernetes/kustomize-files.ts'
import { createRenderer, readExamples } from './kubernetes/render-chart.ts'
import { readSettings } from './kubernetes/settings.ts'
import { DEFAULT_SETTINGS, declareValues } from './kubernetes/values.ts'
import { repoRoot } from './repo-root.ts'

const CHART = 'deploy/helm/team-messaging-service'
const MANIFESTS = 'deploy/kubernetes'
const HEADER = '# Written by tools/kubernetes.ts; change its sources, not this file.\n'

const isCheck = process.argv.includes('--check')
const { version }: { version: string } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
const settingsByService = Object.fromEntries(
  await Promise.all(Object.keys(components).map(async (name) => [name, await readSettings(name)] as const)),
)
/** Paths for clients: endpoints and pages, but not /metrics and /health of the gateway. */
const pages = allEndpoints.filter(({ prefix }) => prefix === '').map(({ path }) => path.split('/')[1] ?? '')

const ofChart = withHeader(
  chartFiles({
    version,
    settingsByService,
    declaredValues: declareValues({ settingsByService, limits: { ...limits, ...queueTiming } }),
    publicPaths: ['api', ...new Set(pages)].toSorted((a, b) => a.localeCompare(b)),
  }),
)
const examples = readExamples(join(repoRoot, CHART))
const chart = copyChart(ofChart)
try {
  const render = createRenderer(chart, examples[0]?.values.settings ?? {})
  writeFiles(CHART, ofChart)
  writeFiles(
    MANIFESTS,
    withHeader(kustomizeFiles({ render, examples, defaults: DEFAULT_SETTINGS, settingsByService, version })),
  )
} finally {
  rmSync(chart, { recursive: true })
}

/** Marks files as generated; JSON can't have comments, and files of settings in overlays are for operators. */
function withHeader(files: Record<string, string>): Record<string, string> {
  const hasHeader = (path: string) => !path.endsWith('.json') && !/^overlays\/.+\.env$/.test(path)
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, hasHeader(path) ? `${HEADER}${text}` : text]),
  )
}

/** A copy of the chart with these files, so that a check renders what they would be. */
function copyChart(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tms-chart-'))
  cpSync(join(repoRoot, CHART), folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(repoRoot, folder, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    if (isCheck) reportProblem(`${folder}/${path} is out of date`)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  for (const path of listGeneratedFiles(folder)) {
    if (path in files || isInCopiedOverlay(path)) continue
    if (isCheck) reportProblem(`${folder}/${path} is no longer generated`)
    else rmSync(join(repoRoot, folder, path))
  }
}

/** Files that this tool has written, recognized by their first lines. */
function listGeneratedFiles(folder: string): string[] {
  const root = join(repoRoot, folder)
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').slice(0, 200).includes('Written by tools/kubernetes.'))
    .map((file) => file.slice(root.length + 1))
}

/** Whether a file belongs to an operator's copy of an overlay, which has the same first line. */
function isInCopiedOverlay(path: string): boolean {
  const name = /^overlays\/([^/]+)\//.exec(path)?.[1]
  return name !== undefined && !examples.some((example) => example.name === name)
}

function reportProblem(problem: string): void {
  console.error(`${problem}: run node tools/kubernetes.ts`)
  process.exitCode = 1
}
