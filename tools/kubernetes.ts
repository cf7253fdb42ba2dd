// Writes the generated files of the Helm chart from the services' declarations, and then deploy/kubernetes from what the chart
// renders. Build first. With --check it writes nothing, and fails if a file is out of date, missing, or no longer generated.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import { allEndpoints } from '../libs/contracts/dist/index.js'
import { updateGenerated } from './generated-files.ts'
import { chartFiles } from './kubernetes/chart-files.ts'
import { components } from './kubernetes/components.ts'
import { kustomizeFiles } from './kubernetes/kustomize-files.ts'
import { createRenderer, readExamples } from './kubernetes/render-chart.ts'
import { readSettings } from './kubernetes/settings.ts'
import { repoRoot } from './repo-root.ts'

const CHART = 'deploy/helm/team-messaging-service'
const MANIFESTS = 'deploy/kubernetes'
const HEADER = '# Written by tools/kubernetes.ts; change its sources, not this file.\n'

const { version }: { version: string } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
const settingsByService = Object.fromEntries(
  await Promise.all(components.map(async (name) => [name, await readSettings(name)] as const)),
)
/** Paths for clients: endpoints and pages, but not /metrics and /health of the gateway. */
const pages = allEndpoints.filter(({ prefix }) => prefix === '').map(({ path }) => path.split('/')[1] ?? '')
const publicPaths = ['api', ...new Set(pages)].toSorted((a, b) => a.localeCompare(b))
const values = readFileSync(join(repoRoot, CHART, 'values.yaml'), 'utf8')
const { settings: defaults }: { settings: Record<string, string> } = parse(values)
const examples = readExamples(join(repoRoot, CHART))

update(CHART, chartFiles({ version, settingsByService, values, publicPaths }))
const render = createRenderer(join(repoRoot, CHART), {
  ...examples[0]?.values.settings,
  // The port for replies is there whether or not the settings of an overlay have such addresses, which kustomize can't know.
  MAIL_REPLY_ADDRESS: 'reply+%s@mail.example.com',
})
update(MANIFESTS, kustomizeFiles({ render, examples, defaults, settingsByService, version }))

function update(folder: string, texts: Record<string, string>): void {
  const files = Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      `${folder}/${path}`,
      hasHeader(path) ? `${HEADER}${text}` : text,
    ]),
  )
  const obsolete = listGeneratedFiles(folder).filter((path) => !(path in files) && !isInCopiedOverlay(path))
  updateGenerated('kubernetes.ts', files, obsolete)
}

/** JSON can't have comments, and files of settings in overlays are for operators. */
function hasHeader(path: string): boolean {
  return !path.endsWith('.json') && !/^overlays\/.+\.env$/.test(path)
}

/** Files that this tool has written, recognized by their first lines. */
function listGeneratedFiles(folder: string): string[] {
  return readdirSync(join(repoRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').slice(0, 200).includes('Written by tools/kubernetes.'))
    .map((file) => relative(repoRoot, file))
}

/** Whether a file belongs to an operator's copy of an overlay, which has the same first line. */
function isInCopiedOverlay(path: string): boolean {
  const name = /\/overlays\/([^/]+)\//.exec(path)?.[1]
  return name !== undefined && !examples.some((example) => example.name === name)
}
