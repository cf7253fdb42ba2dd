// Removes from deployed services (folders as arguments) the packages that are bundled: what is left is what bundles take from
// node_modules, with what that needs, and all of what isn't a bundle.
//
//   node tools/prune-bundled.mjs /out/gateway
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OUTSIDE } from './bundle/outside.mjs'

for (const folder of process.argv.slice(2)) prune(folder)

function prune(folder) {
  const kept = new Set()
  keep(folder, kept)
  const store = join(folder, 'node_modules', '.pnpm')
  for (const entry of foldersIn(store)) {
    const packages = packagesIn(join(store, entry, 'node_modules')).filter((path) => !isLink(path))
    if (packages.length > 0 && !packages.some((path) => kept.has(realpathSync(path))))
      rmSync(join(store, entry), { recursive: true })
  }
  removeDeadLinks(folder)
}

/** Notes a package, and those that it needs at run time. */
function keep(folder, kept) {
  const path = realpathSync(folder)
  if (kept.has(path)) return
  kept.add(path)
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  for (const name of isBundled(path) ? names.filter((each) => OUTSIDE.includes(each)) : names) {
    const at = placeOf(name, path)
    if (at !== null) keep(at, kept)
  }
}

/** Only bundles come with the licences of what is in them. */
function isBundled(path) {
  return existsSync(join(path, 'dist', 'licences.txt'))
}

/** Where Node finds a package from another's folder. */
function placeOf(name, from) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return null
}

function foldersIn(folder) {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      )
    : []
}

/** Packages in a node_modules, those of scopes too. */
function packagesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(folder, name)).map((below) => join(folder, name, below))
      : [join(folder, name)],
  )
}

function isLink(path) {
  return lstatSync(path).isSymbolicLink()
}

function removeDeadLinks(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink() && !existsSync(path)) rmSync(path)
    else if (entry.isDirectory()) removeDeadLinks(path)
  }
}
