// Writes deploy/kubernetes and the Helm chart from tools/kubernetes/ and the services' declarations. Build first.
// With --check it writes nothing and fails when a file isn't what they say, is missing, or has nothing to do there.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allEndpoints, limits, queueTiming } from '../libs/contracts/dist/index.js'
import { repoRoot } from './bootstrap.mjs'
import { components } from './kubernetes/components.mjs'
import { helmFiles } from './kubernetes/helm-files.mjs'
import { kustomizeFiles } from './kubernetes/kustomize-files.mjs'
import { publicPaths } from './kubernetes/network.mjs'
import { overlays } from './kubernetes/overlays.mjs'
import { settingsOf } from './kubernetes/settings.mjs'
import { declareValues, treeOf } from './kubernetes/values.mjs'

const isCheck = process.argv.includes('--check')
const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'))
const settingsByService = Object.fromEntries(
  await Promise.all(Object.keys(components).map(async (name) => [name, await settingsOf(name)])),
)
const declaredValues = declareValues({ settingsByService, limits: { ...limits, ...queueTiming } })
const facts = {
  version,
  settingsByService,
  declaredValues,
  values: treeOf(declaredValues),
  publicPaths: publicPaths(allEndpoints),
}
const folders = {
  'deploy/kubernetes': kustomizeFiles(facts),
  'deploy/helm/team-messaging-service': helmFiles(facts),
}
for (const [folder, files] of Object.entries(folders)) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(repoRoot, folder, path)
    const isRight = existsSync(file) && readFileSync(file, 'utf8') === text
    if (isRight) continue
    if (isCheck) complain(`${folder}/${path} is not what its sources say`)
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  for (const path of written(folder).filter((each) => !(each in files) && !isCopy(each))) {
    if (isCheck) complain(`${folder}/${path} is not generated any more`)
    else rmSync(join(repoRoot, folder, path))
  }
}

/** What this tool wrote at some time, by its first line; whatever else is there isn't its business. */
function written(folder) {
  const root = join(repoRoot, folder)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => readFileSync(file, 'utf8').slice(0, 200).includes('Written by tools/kubernetes.mjs'))
    .map((file) => file.slice(root.length + 1))
}

/** Whoever installs copies an overlay, first line and all, and changes it. */
function isCopy(path) {
  const name = /^overlays\/([^/]+)\//.exec(path)?.[1]
  return name !== undefined && !(name in overlays)
}

function complain(what) {
  console.error(`${what}: run node tools/kubernetes.mjs`)
  process.exitCode = 1
}
