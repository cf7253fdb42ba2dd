import { describe, expect, test } from 'vitest'
import { listFiles, listFolders, read, services } from './support/repository.ts'

interface Manifest {
  readonly name: string
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

const manifestOf = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest
const namesOf = ({ dependencies = {}, devDependencies = {} }: Manifest) => [
  ...Object.keys(dependencies),
  ...Object.keys(devDependencies),
]
const serviceNames = services.map((service) => `@tms/${service}`)

/** pnpm links only dependencies that a manifest names, so no other can be imported. */
describe('package dependencies', () => {
  test.each(services)('services/%s: no other service', (service) => {
    const others = serviceNames.filter((name) => name !== `@tms/${service}`)
    expect(namesOf(manifestOf(`services/${service}`)).filter((name) => others.includes(name))).toEqual([])
  })

  test.each(listFolders('libs'))('libs/%s: no service', (lib) => {
    expect(namesOf(manifestOf(`libs/${lib}`)).filter((name) => serviceNames.includes(name))).toEqual([])
  })

  test('clients/typescript: nothing at all', () => {
    expect(manifestOf('clients/typescript').dependencies ?? {}).toEqual({})
  })

  test('libs/contracts: zod and nothing else', () => {
    expect(Object.keys(manifestOf('libs/contracts').dependencies ?? {})).toEqual(['zod'])
  })

  test('of services and the kit exclude the test kit and the launcher in production', () => {
    const folders = ['libs/service-kit', ...services.map((service) => `services/${service}`)]
    for (const folder of folders) {
      const names = Object.keys(manifestOf(folder).dependencies ?? {})
      expect(names.filter((name) => ['@tms/test-kit', '@tms/local-system'].includes(name))).toEqual([])
    }
  })

  test('have one version each, from the catalog', () => {
    const folders = [
      ...listFolders('libs').map((lib) => `libs/${lib}`),
      ...services.map((name) => `services/${name}`),
    ]
    const stray = folders.flatMap((folder) => {
      const { dependencies = {}, devDependencies = {} } = manifestOf(folder)
      return Object.entries({ ...dependencies, ...devDependencies })
        .filter(([, version]) => version !== 'catalog:' && version !== 'workspace:*')
        .map(([name, version]) => `${folder}: ${name} ${version}`)
    })
    expect(stray).toEqual([])
  })
})

describe('file locations', () => {
  const sources = [...listFiles('libs'), ...listFiles('services')].filter((path) => path.endsWith('.ts'))

  test('keep SQL in *.queries.ts', () => {
    const isAllowed = (path: string) =>
      /\.(queries|test)\.ts$|^libs\/(service-kit|local-system|test-kit)\/|\/service\.ts$|\/prisma\//.test(
        path,
      )
    const sql =
      /\.query\(|\b(select|insert into|update|delete from)\s[\w\s,.*()"$]+\b(from|values|set|where)\b/
    const found = sources.filter((path) => !isAllowed(path) && sql.test(withoutComments(read(path))))
    expect(found).toEqual([])
  })

  test('keep main.ts within 15 lines', () => {
    const mains = sources.filter((path) => path.endsWith('/src/main.ts'))
    expect(mains.filter((path) => read(path).trimEnd().split('\n').length > 15)).toEqual([])
  })

  test('exclude file names that say nothing', () => {
    const vague = /\/(utils?|helpers?|common|types|misc)\.ts$/
    expect(sources.filter((path) => vague.test(path))).toEqual([])
  })
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '')
}

describe('outbox relays', () => {
  const sources = listFiles('services').filter((path) => path.endsWith('.ts'))

  test('are started and woken by the service kit alone', () => {
    const byHand = /\bstartOutboxRelay\b|\brelay\??\.wake\b|\bmarkPublished\s*=(?!=)/
    expect(sources.filter((path) => byHand.test(withoutComments(read(path))))).toEqual([])
  })

  test('wake after statements that write to the outbox themselves', () => {
    const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
    const waking = new Set(sources.filter((path) => read(path).includes('.markPublished')).map(folderOf))
    const writing = sources.filter((path) => /\binsert into outbox\b/.test(read(path))).map(folderOf)
    expect(writing).not.toEqual([])
    expect(writing.filter((folder) => !waking.has(folder))).toEqual([])
  })
})
