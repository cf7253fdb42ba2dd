import { basename, relative } from 'node:path'
import { serviceNames } from '../service-names.ts'
import { listModules, readSource } from './source-files.ts'

const CONTRACTS = 'libs/contracts/src'
const RENDERING = 'services/events/src/rendering'

/**
 * The text of each file that lists code of services: the handlers of each, and what events become for clients. Adds a sentence to
 * `gaps` for each endpoint without a handler.
 */
export function serviceLists(gaps: string[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const owner of serviceNames.filter((name) => declaredIn(name, 'endpoints').length > 0))
    files.set(`services/${owner}/src/handlers.ts`, handlersOf(owner, gaps))
  files.set(`${RENDERING}/all-presentations.ts`, allPresentations())
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

function allPresentations(): string {
  const modulesByExport = exportsBelow(RENDERING, /^export const (present[A-Z]\w*) = present\(/gm)
  const imports = new Map<string, string[]>()
  for (const [name, path] of modulesByExport) imports.set(path, [...(imports.get(path) ?? []), name])
  return [
    ...importLines(imports, RENDERING),
    `\nexport const allPresentations = [${[...modulesByExport.keys()].join(', ')}]\n`,
  ].join('')
}

const importLines = (imports: ReadonlyMap<string, readonly string[]>, folder: string): string[] =>
  [...imports].map(([path, names]) => `import { ${names.join(', ')} } from './${relative(folder, path)}'\n`)

/** Names of the endpoints or internal calls that are declared one by one. */
const declaredIn = (owner: string, kind: string): string[] =>
  listModules(CONTRACTS)
    .filter((path) => path.startsWith(`${CONTRACTS}/${owner}/${kind}/`))
    .flatMap((path) => [...readSource(path).matchAll(/^export const (\w+) = \w*[eE]ndpoint\(/gm)])
    .map(([, name = '']) => name)

/** The module that exports each name that a pattern finds. */
function exportsBelow(folder: string, pattern: RegExp): Map<string, string> {
  const modules = new Map<string, string>()
  for (const path of listModules(folder).filter((path) => basename(path) !== 'handlers.ts'))
    for (const [, name = ''] of readSource(path).matchAll(pattern)) {
      const other = modules.get(name)
      if (other) throw new Error(`Both ${other} and ${path} export '${name}': rename one`)
      modules.set(name, path)
    }
  return modules
}
