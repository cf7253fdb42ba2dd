import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { repoRoot } from './support/repository.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const sources = ['clients/typescript', 'libs/testcontainers']

/** Where the package of a folder is packed to. */
function fileOf(source: string): string {
  const { name, version } = JSON.parse(
    readFileSync(join(repoRoot, source, 'package.json'), 'utf8'),
  ) as Manifest
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

beforeAll(async () => {
  for (const source of sources)
    await run('pnpm', ['--dir', join(repoRoot, source), 'pack', '--pack-destination', folder])
})

describe.each(sources)('the package of %s', (source) => {
  const unpacked = join(folder, source)
  const inPackage = (path: string): string => readFileSync(join(unpacked, path), 'utf8')
  const files = () => readdirSync(unpacked, { recursive: true, encoding: 'utf8' })

  beforeAll(async () => {
    mkdirSync(unpacked, { recursive: true })
    await run('tar', ['--extract', '--file', fileOf(source), '--directory', unpacked, '--strip-components=1'])
  })

  test('names versions that npm knows, of what it depends on', () => {
    const { dependencies = {} } = JSON.parse(inPackage('package.json')) as Manifest
    expect(Object.values(dependencies).filter((wanted) => !/^\d+\.\d+\.\d+$/.test(wanted))).toEqual([])
  })

  test('has what its maps point to, and no tests', () => {
    const maps = files().filter((path) => path.endsWith('.map'))
    const mapped = maps.flatMap((map) =>
      (JSON.parse(inPackage(map)) as { sources: string[] }).sources.map((path) => join(dirname(map), path)),
    )
    // What was built from a source that is gone stays in a checkout.
    const present = mapped.filter((path) => existsSync(join(repoRoot, source, path)))
    expect(maps).not.toEqual([])
    expect(present.filter((path) => !existsSync(join(unpacked, path)))).toEqual([])
    expect(files().filter((path) => path.includes('.test.'))).toEqual([])
  })

  test('has a README that says how to get it, and leads nowhere where nothing is', () => {
    const readme = inPackage('README.md')
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map((match) => String(match[1]))
    expect(readme).toContain(`npm install`)
    expect(readme).toContain(`--dir ${source} pack`)
    expect(links.filter((link) => !/^(https?:|#)/.test(link) && !existsSync(join(unpacked, link)))).toEqual(
      [],
    )
  })
})

test('the client can be installed by npm without a network, and imported', async () => {
  const project = join(folder, 'a project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const file = fileOf('clients/typescript')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project })

  const program = `import { createClient } from '@tms/client'
    console.log(typeof createClient({ url: 'http://localhost' }).sendMessage)`
  const { stdout } = await run('node', ['--input-type=module', '--eval', program], { cwd: project })
  expect(stdout).toBe('function\n')
})
