// Licences of every npm package in the images: the production dependencies of the deployed packages, as installed. Prints the
// list; with --check it prints only packages whose licences are not allowed, and fails.
//
//   node tools/licences.ts
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { imageRoots } from './image-roots.ts'
import { findPackageFolder } from './package-folder.ts'
import { repoRoot } from './repo-root.ts'

interface Package {
  name: string
  version: string
  licence: string
}

/** A package.json in the forms that packages use. */
interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  licenses?: (string | { type: string })[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Licences that require no more than attribution. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
])
/** Packages under other licences, with the reason why they are allowed. */
const EXCEPTIONS = new Map([
  // libvips is a separate, replaceable library, as the LGPL requires.
  [/^@img\/sharp-libvips-/, 'LGPL-3.0-or-later'],
])

const found = new Map<string, Package>()
for (const root of imageRoots) collectPackages(join(repoRoot, root))

const rows = [...found.values()]
  .filter(({ name }) => !name.startsWith('@tms/'))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
const refused = rows.filter((row) => !isAllowed(row))
if (!process.argv.includes('--check'))
  for (const { name, version, licence } of rows) console.log(`${name} ${version}\t${licence}`)
for (const { name, version, licence } of refused) console.error(`${name} ${version} is under ${licence}`)
if (refused.length > 0) {
  console.error('These licences are not allowed: see tools/licences.ts')
  process.exitCode = 1
}
if (rows.length < 100) {
  console.error(`found only ${rows.length} packages: run pnpm install first`)
  process.exitCode = 1
}

/** Adds a package and what it depends on. */
function collectPackages(folder: string): void {
  const path = realpathSync(folder)
  if (found.has(path)) return
  const { name, version, license, licenses, ...manifest }: Manifest = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  )
  const old = licenses?.map((each) => (typeof each === 'object' ? each.type : each)).join(' OR ')
  const licence = (typeof license === 'object' ? license.type : license) ?? old ?? readLicenceFile(path)
  found.set(path, { name, version, licence })
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const at = findPackageFolder(dependency, path)
    // Optional dependencies depend on the machine.
    if (at !== null) collectPackages(at)
    else if (!(dependency in (manifest.optionalDependencies ?? {})))
      throw new Error(`${dependency}, which ${name} needs, is not installed`)
  }
}

/** The licence of a package that names it only in a file. */
function readLicenceFile(path: string): string {
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name))
  return file === undefined
    ? 'no licence'
    : (readFileSync(join(path, file), 'utf8').split('\n')[0] ?? '').trim()
}

/** Of alternative licences one must be allowed, of cumulative ones all. */
function isAllowed({ name, licence }: Package): boolean {
  const exception = [...EXCEPTIONS].find(([pattern]) => pattern.test(name))
  if (exception && exception[1] === licence) return true
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one.trim())))
}
