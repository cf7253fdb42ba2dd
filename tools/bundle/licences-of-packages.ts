import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package.json in the forms that packages use. */
interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  licenses?: { type: string }[]
  author?: string | { name: string }
}

const LICENCE = /^(licen[cs]e|copying|notice)/i

/** The licence texts of all packages that the modules are from; licences require them with every copy of the code. */
export function listLicences(moduleIds: readonly string[]): string {
  const packages = new Map<string, string>()
  for (const id of moduleIds) {
    const folder = packageOf(id)
    if (folder !== null && !packages.has(folder)) packages.set(folder, describe(folder))
  }
  const texts = [...new Set(packages.values())].sort((a, b) => (a < b ? -1 : 1))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

function packageOf(id: string): string | null {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '')
  if (!path.includes('/node_modules/')) return null
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    // Some packages have further manifests, without a version, that only set the module type.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version) return folder
  }
  return null
}

function describe(folder: string): string {
  const { name, version, license, licenses, author }: Manifest = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const texts = readdirSync(folder)
    .filter((file) => LICENCE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const named =
    (typeof license === 'object' ? license.type : license) ?? licenses?.map(({ type }) => type).join(' OR ')
  const by = typeof author === 'object' ? author.name : author
  const short = `${named ?? 'licence below'}${texts.length === 0 && by ? `, by ${by}` : ''}`
  return [`${name} ${version} (${short})`, ...texts, ''].join('\n\n')
}
