// Licences of every npm package that the images hold: the production dependencies of all that is deployed into them,
// with what those depend on, as installed. Prints the list; with --check only what is not allowed, and fails.
//
//   node tools/licences.mjs
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from './bootstrap.mjs'
import { imageRoots } from './image-roots.mjs'

/** Licences that ask for no more than to be named with the software. */
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
/** Packages under others, with why that is right. */
const EXCEPTIONS = new Map([
  // libvips: used as a library of its own, which anyone can replace, as the LGPL asks.
  [/^@img\/sharp-libvips-/, 'LGPL-3.0-or-later'],
])

const found = new Map()
for (const root of imageRoots) visit(join(repoRoot, root))

const rows = [...found.values()]
  .filter(({ name }) => !name.startsWith('@tms/'))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
const refused = rows.filter((row) => !isAllowed(row))
if (!process.argv.includes('--check'))
  for (const { name, version, licence } of rows) console.log(`${name} ${version}\t${licence}`)
for (const { name, version, licence } of refused) console.error(`${name} ${version} is under ${licence}`)
if (refused.length > 0) {
  console.error('Nobody has allowed these licences: see tools/licences.mjs')
  process.exitCode = 1
}
if (rows.length < 100) {
  console.error(`only ${rows.length} packages were found: are they installed?`)
  process.exitCode = 1
}

/** Adds a package and what it depends on. */
function visit(folder) {
  const path = realpathSync(folder)
  if (found.has(path)) return
  const { name, version, license, licenses, ...manifest } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  )
  const old = licenses?.map((each) => each.type ?? each).join(' OR ')
  const licence = (typeof license === 'object' ? license?.type : license) ?? old ?? textIn(path)
  found.set(path, { name, version, licence })
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const at = placeOf(dependency, path)
    // What is optional is there or not, by the machine.
    if (at !== null) visit(at)
    else if (!(dependency in (manifest.optionalDependencies ?? {})))
      throw new Error(`${dependency}, which ${name} needs, is not installed`)
  }
}

/** Where Node finds a package from another's folder. */
function placeOf(name, from) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return null
}

/** What a package is under that says it in a file alone. */
function textIn(path) {
  const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name))
  return file === undefined
    ? 'no licence'
    : (readFileSync(join(path, file), 'utf8').split('\n')[0] ?? '').trim()
}

/** Of several to choose from one is enough; of several that hold together each must be allowed. */
function isAllowed({ name, licence }) {
  const exception = [...EXCEPTIONS].find(([pattern]) => pattern.test(name))
  if (exception && exception[1] === licence) return true
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one.trim())))
}
