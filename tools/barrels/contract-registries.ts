import { relative } from 'node:path'
import { listModules } from './source-files.ts'

const CONTRACTS = 'libs/contracts/src'

/** Registries of contracts by name, each with the folder of an owner that has what belongs in it. */
export const REGISTRY_FOLDERS: Readonly<Record<string, string>> = {
  endpoints: 'endpoints',
  'domain-events': 'events',
  internal: 'internal',
}

/** Whether a file is the part of a registry that lists what one owner declares. */
export const isOwnersList = (path: string): boolean =>
  path.startsWith(`${CONTRACTS}/registries/`) && path.split('/').length === 6

export const listOwnersLists = (): string[] => listModules(`${CONTRACTS}/registries`).filter(isOwnersList)

/** The text of each file: a list for each owner, and for each registry a file that has these under the owners' names. */
export function contractRegistries(): Map<string, string> {
  const modules = listModules(CONTRACTS)
  const owners = [...new Set(modules.map((path) => path.split('/')[3]))].filter(
    (name) => name !== 'registries',
  )
  const files = new Map<string, string>()
  for (const [registry, folder] of Object.entries(REGISTRY_FOLDERS)) {
    const declaring = owners
      .map((owner) => ({
        owner,
        declarations: modules.filter((path) => path.startsWith(`${CONTRACTS}/${owner}/${folder}/`)),
      }))
      .filter(({ declarations }) => declarations.length > 0)
    for (const { owner, declarations } of declaring)
      files.set(
        `${CONTRACTS}/registries/${registry}/${owner}.ts`,
        declarations.map((path) => `export * from '../../${relative(CONTRACTS, path)}'\n`).join(''),
      )
    files.set(
      `${CONTRACTS}/registries/${registry}.ts`,
      declaring.map(({ owner }) => `export * as ${owner} from './${registry}/${owner}.ts'\n`).join(''),
    )
  }
  return files
}
