import { basename, relative } from 'node:path'
import { serviceNames } from '../service-names.ts'
import { listModules, readSource } from './source-files.ts'

const CONTRACTS = 'libs/contracts/src'
const RENDERING = 'services/events/src/rendering'
const CLIENT_EVENTS = 'libs/contracts/src/events/client-events'
const SAMPLES = 'tests/system/samples'

/**
 * The text of each file that lists what modules export: handlers of each service, what events become for clients, events for
 * clients, samples of the tests. Adds a sentence to `gaps` for each endpoint without a handler.
 */
export function exportLists(gaps: string[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const owner of serviceNames.filter((name) => declaredIn(name, 'endpoints').length > 0))
    files.set(`services/${owner}/src/handlers.ts`, handlersOf(owner, gaps))
  const presentations = exportsBelow(RENDERING, /^export const (present[A-Z]\w*) = present\(/gm)
  files.set(`${RENDERING}/all-presentations.ts`, listOf('allPresentations', presentations, RENDERING))
  const clientEvents = exportsBelow(CLIENT_EVENTS, /^export const (\w+Events) = \[$/gm)
  files.set(`${CLIENT_EVENTS}/all.ts`, joinedListOf('clientEvents', clientEvents, CLIENT_EVENTS))
  const samples = exportsBelow(SAMPLES, /^export const (\w+Samples) = \{$/gm)
  files.set(`${SAMPLES}/sample-lists.ts`, listOf('sampleLists', samples, SAMPLES))
  return files
}

/** `handleX` for each endpoint `x` and each internal call `x` of a service, wherever it is; `exportHandlers` has several. */
function handlersOf(owner: string, gaps: string[]): string {
  const folder = `services/${owner}/src`
  const modulesByExport = exportsBelow(
    folder,
    /^export (?:const|(?:async )?function) (handle[A-Z]\w*|exportHandlers)\b/gm,
  )
  const imports = new Map<string, string[]>()
  const use = (name: string, path: string): void => {
    imports.set(path, [...(imports.get(path) ?? []), name])
  }
  const list = (kind: string): string[] =>
    declaredIn(owner, kind).flatMap((name) => {
      const handler = `handle${name.charAt(0).toUpperCase()}${name.slice(1)}`
      const path = modulesByExport.get(handler)
      if (path) use(handler, path)
      else
        gaps.push(
          `${kind}.${owner}.${name} has no handler: export ${handler} from ${folder}/<noun>/<verb-noun>.ts`,
        )
      return path ? [`${name}: ${handler}`] : []
    })
  const handlers = list('endpoints')
  const internalHandlers = list('internal')
  const exportHandlers = modulesByExport.get('exportHandlers')
  if (exportHandlers) {
    use('exportHandlers', exportHandlers)
    internalHandlers.push('...exportHandlers')
  }
  return [
    ...importLines(imports, folder),
    `\nexport const handlers = { ${handlers.join(', ')} }\n`,
    `\nexport const internalHandlers = { ${internalHandlers.join(', ')} }\n`,
  ].join('')
}

/** A list of exports, as `name`. */
const listOf = (name: string, modulesByExport: ReadonlyMap<string, string>, folder: string): string =>
  `${importsOf(modulesByExport, folder)}\nexport const ${name} = [${[...modulesByExport.keys()].join(', ')}]\n`

/** A list of what exported lists contain. */
const joinedListOf = (name: string, modulesByExport: ReadonlyMap<string, string>, folder: string): string =>
  `${importsOf(modulesByExport, folder)}\nexport const ${name} = [${[...modulesByExport.keys()].map((list) => `...${list}`).join(', ')}]\n`

function importsOf(modulesByExport: ReadonlyMap<string, string>, folder: string): string {
  const imports = new Map<string, string[]>()
  for (const [name, path] of modulesByExport) imports.set(path, [...(imports.get(path) ?? []), name])
  return importLines(imports, folder).join('')
}

const importLines = (imports: ReadonlyMap<string, readonly string[]>, folder: string): string[] =>
  [...imports].map(([path, names]) => `import { ${names.join(', ')} } from './${relative(folder, path)}'\n`)

/** Names of the endpoints or internal calls that are declared one by one. */
const declaredIn = (owner: string, kind: string): string[] =>
  listModules(CONTRACTS)
    .filter((path) => path.startsWith(`${CONTRACTS}/${owner}/${kind}/`))
    .flatMap((path) => [...readSource(path).matchAll(/^export const (\w+) = \w*[eE]ndpoint\(/gm)])
    .map(([, name = '']) => name)

const isList = (path: string): boolean =>
  ['handlers.ts', 'all.ts', 'all-presentations.ts', 'sample-lists.ts'].includes(basename(path))

/** The module that exports each name that a pattern finds. */
function exportsBelow(folder: string, pattern: RegExp): Map<string, string> {
  const modules = new Map<string, string>()
  for (const path of listModules(folder).filter((path) => !isList(path)))
    for (const [, name = ''] of readSource(path).matchAll(pattern)) {
      const other = modules.get(name)
      if (other) throw new Error(`Both ${other} and ${path} export '${name}': rename one`)
      modules.set(name, path)
    }
  return modules
}
