// Writes deploy/kubernetes and the Helm chart from tools/kubernetes/ and the services' declarations. Build first. With --check
// it writes nothing, and fails if a file is out of date, missing, or no longer generated.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allEndpoints, limits, queueTiming } from '../libs/contracts/dist/index.js'
import { components } from './kubernetes/components.mjs'
import { helmFiles } from './kubernetes/helm-files.mjs'
import { kustomizeFiles } from './kubernetes/kustomize-files.mjs'
import { publicPaths } from './kubernetes/network.mjs'
import { overlays } from './kubernetes/overlays.mjs'
import { readSettings } from './kubernetes/settings.mjs'
import { declareValues, toTree } from './kubernetes/values.mjs'
import { repoRoot } from './repo-root.ts'

const isCheck = process.argv.includes('--check')
const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
const settingsByService = Object.fromEntries(
  await Promise.all(Object.keys(components).map(async (name) => [name, await readSettings(name)])),
)
const declaredValues = declareValues({ settingsByService, limits: { ...limits, ...queueTiming } })
const inputs = {
  version,
  settingsByService,
  declaredValues,
  values: toTree(declaredValues),
  publicPaths: publicPaths(allEndpoints),
}
const folders = {
  'deploy/kubernetes': kustomizeFiles(inputs),
  'deploy/helm/team-messaging-service': helmFiles(inputs),
}
for (const [folder, files] of Object.entries(folders)) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(repoRoot, folder, path)
    const isUpToDate = existsSync(file) && readFileSync(file, 'utf8') === text
    if (isUpToDate) continue
    if (isCheck) reportProblem(`${folder}/${path} is out of date`)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  for (const path of listGeneratedFiles(folder).filter(
    (each) => !(each in files) && !isInCopiedOverlay(each),
  )) {
    if (isCheck) reportProblem(`${folder}/${path} is no longer generated`)
    else rmSync(join(repoRoot, folder, path))
  }
}

/** Files that this tool has written, recognized by their first line. */
function listGeneratedFiles(folder: string): string[] {
  const root = join(repoRoot, folder)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'utf8').slice(0, 200).includes('Written by tools/kubernetes.ts'))
    .map((file) => file.slice(root.length + 1))
}

/** Whether a file belongs to an operator's copy of an overlay, which has the same first line. */
function isInCopiedOverlay(path: string): boolean {
  const name = /^overlays\/([^/]+)\//.exec(path)?.[1]
  return name !== undefined && !(name in overlays)
}

function reportProblem(problem: string): void {
  console.error(`${problem}: run node tools/kubernetes.ts`)
  process.exitCode = 1
}
