// Removes bundled packages from deployed services (folders as arguments). Keeps the packages that bundles load from
// node_modules, with their dependencies, and all dependencies of packages that aren't bundled.
//
//   node tools/prune-bundled.ts /out/gateway
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXTERNAL_PACKAGES } from './bundle/external-packages.ts'
import { findPackageFolder } from './package-folder.ts'

for (const folder of process.argv.slice(2)) prune(folder)

function prune(folder: string): void {
  const retained = new Set<string>()
  retain(folder, retained)
  const store = join(folder, 'node_modules', '.pnpm')
  for (const entry of foldersIn(store)) {
    const packages = packagesIn(join(store, entry, 'node_modules')).filter((path) => !isLink(path))
    if (packages.length > 0 && !packages.some((path) => retained.has(realpathSync(path))))
      rmSync(join(store, entry), { recursive: true })
  }
  removeDeadLinks(folder)
}

/** Adds a package, and its dependencies at run time. */
function retain(folder: string, retained: Set<string>): void {
  const path = realpathSync(folder)
  if (retained.has(path)) return
  retained.add(path)
  const manifest: Record<string, object | undefined> = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  )
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  for (const name of isBundled(path) ? names.filter((each) => EXTERNAL_PACKAGES.includes(each)) : names) {
    const at = findPackageFolder(name, path)
    if (at !== null) retain(at, retained)
  }
}

/** Only bundles have a file of licences. */
function isBundled(path: string): boolean {
  return existsSync(join(path, 'dist', 'licences.txt'))
}

function foldersIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      )
    : []
}

/** Folders of the packages in a node_modules folder, scoped ones included. */
function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(folder, name)).map((below) => join(folder, name, below))
      : [join(folder, name)],
  )
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink()
}

function removeDeadLinks(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink() && !existsSync(path)) rmSync(path)
    else if (entry.isDirectory()) removeDeadLinks(path)
  }
}
