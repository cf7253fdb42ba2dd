import { relative } from 'node:path'
import { isOwnersList, REGISTRY_FOLDERS } from './contract-registries.ts'
import { listModules, listSources, readSource } from './source-files.ts'

/** Folders whose code imports libraries. */
const IMPORTING_FOLDERS = ['all-in-one', 'bench', 'libs', 'manage', 'services', 'tests', 'tools']

interface Export {
  readonly name: string
  readonly isType: boolean
}

/**
 * The text of a library's index.ts: it exports what the repository imports. A module of which something is imported also
 * exports its types, since the compiler may need their names for an inferred type.
 */
export function libraryIndex(library: string): string {
  const folder = `libs/${library}/src`
  const imported = namesImportedFrom(library)
  const modulesByName = new Map<string, string>()
  const lines: string[] = []
  for (const path of listModules(folder)) {
    if (path.endsWith('/index.ts') || isOwnersList(path)) continue
    const module = relative(folder, path)
    const registry = /^registries\/([\w-]+)\.ts$/.exec(module)?.[1] ?? ''
    if (registry in REGISTRY_FOLDERS) lines.push(`export * as ${camelCased(registry)} from './${module}'\n`)
    const exported = exportsOf(readSource(path))
    if (!exported.some(({ name }) => imported.has(name))) continue
    const chosen = exported.filter(({ name, isType }) => isType || imported.has(name))
    for (const { name } of chosen) {
      const other = modulesByName.get(name)
      if (other) throw new Error(`Both ${other} and ${path} export '${name}': rename one, or don't export it`)
      modulesByName.set(name, path)
    }
    lines.push(exportLine(chosen, module))
  }
  return lines.join('')
}

function exportLine(chosen: readonly Export[], module: string): string {
  const areTypes = chosen.every(({ isType }) => isType)
  const names = chosen.map(({ name, isType }) => (isType && !areTypes ? `type ${name}` : name))
  return `export ${areTypes ? 'type ' : ''}{ ${names.join(', ')} } from './${module}'\n`
}

/** What a module exports. A name of a type and a value is a value. */
function exportsOf(text: string): Export[] {
  const declared = [
    ...text.matchAll(
      /^export (?:declare |abstract |async )*(const|function\*?|class|interface|type) (\w+)/gm,
    ),
  ].map(([, kind = '', name = '']) => ({ name, isType: kind === 'interface' || kind === 'type' }))
  const passedOn = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, type, list = '']) =>
    namesIn(list).map(({ name, isType }) => ({ name, isType: isType || type !== undefined })),
  )
  const exported = new Map<string, Export>()
  for (const one of [...declared, ...passedOn])
    if (exported.get(one.name)?.isType !== false) exported.set(one.name, one)
  return [...exported.values()]
}

/** Names that the repository imports from a library. */
function namesImportedFrom(library: string): ReadonlySet<string> {
  const from = `(?:@tms/${library}|[./]+libs/${library}/dist/index\\.js)`
  const imports = new RegExp(`(?:import|export) (?:type )?\\{([^}]*)\\} from '${from}'`, 'g')
  const texts = IMPORTING_FOLDERS.flatMap(listSources)
    .filter((path) => !path.startsWith(`libs/${library}/`))
    .map(readSource)
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(imports)].flatMap(([, list = '']) => namesIn(list).map(({ source }) => source)),
    ),
  )
}

/** The names in `a, type B, c as d`. */
const namesIn = (list: string): (Export & { readonly source: string })[] =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [source = '', name = source] = one.replace(/^type /, '').split(' as ')
      return { source, name, isType: one.startsWith('type ') }
    })

const camelCased = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
