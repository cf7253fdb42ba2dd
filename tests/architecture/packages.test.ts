import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { repoRoot } from './support/repository.ts'

const run = promisify(execFile)
/** Each step takes seconds of npm, Jest or the compiler on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
const folder = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const sources = ['clients/typescript', 'libs/testcontainers']

/** Where the package of a folder is packed. */
function fileOf(source: string): string {
  const { name, version } = JSON.parse(
    readFileSync(join(repoRoot, source, 'package.json'), 'utf8'),
  ) as Manifest
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

/** The output of a command. Without the variables of the npm or Vitest that runs this test. */
async function execute(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { PATH, HOME } = process.env
  const { stdout } = await run(command, args, { cwd, env: { PATH, HOME } })
  return stdout
}

let packing: Promise<string> | undefined
/** Packs both packages, once for all suites. */
const pack = () => (packing ??= execute(repoRoot, 'node', 'tools/pack.ts', folder))

describe.concurrent.each(sources)('the package of %s', (source) => {
  const unpacked = join(folder, source)
  const inPackage = (path: string): string => readFileSync(join(unpacked, path), 'utf8')
  const files = () => readdirSync(unpacked, { recursive: true, encoding: 'utf8' })

  beforeAll(async () => {
    await pack()
    mkdirSync(unpacked, { recursive: true })
    await run('tar', ['--extract', '--file', fileOf(source), '--directory', unpacked, '--strip-components=1'])
  })

  test('depends on versions that npm can resolve', () => {
    const { dependencies = {} } = JSON.parse(inPackage('package.json')) as Manifest
    expect(Object.values(dependencies).filter((wanted) => !/^\d+\.\d+\.\d+$/.test(wanted))).toEqual([])
  })

  test('has programs and types, for `import` and for `require`', () => {
    const built = ['dist/index.js', 'dist/index.d.ts', 'dist/commonjs/index.js', 'dist/commonjs/index.d.ts']
    expect(files()).toEqual(expect.arrayContaining([...built, 'README.md', 'dist/commonjs/package.json']))
  })

  test('contains every file that its maps reference, and neither tests nor files for the build only', () => {
    const maps = files().filter((path) => path.endsWith('.map'))
    const mapped = maps.flatMap((map) =>
      (JSON.parse(inPackage(map)) as { sources: string[] }).sources.map((path) => join(dirname(map), path)),
    )
    // Build output of a deleted source remains in a checkout.
    const present = mapped.filter((path) => existsSync(join(repoRoot, source, path)))
    expect(maps).not.toEqual([])
    expect(present.filter((path) => !existsSync(join(unpacked, path)))).toEqual([])
    expect(files().filter((path) => /\.test\.|\.tsbuildinfo$/.test(path))).toEqual([])
  })

  test('has a README with installation steps and without broken links', () => {
    const readme = inPackage('README.md')
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map((match) => String(match[1]))
    expect(readme).toContain(`npm install`)
    expect(readme).toContain('npm run pack')
    expect(links.filter((link) => !/^(https?:|#)/.test(link) && !existsSync(join(unpacked, link)))).toEqual(
      [],
    )
  })
})

describe.concurrent('packing in a checkout that is not built', () => {
  const checkout = join(folder, 'checkout')
  const client = join(checkout, 'clients/typescript')
  const packClient = () => execute(client, 'npm', 'pack', '--json')

  beforeAll(() => {
    for (const path of ['tools', 'docs', '.node-version', 'tsconfig.base.json', 'package.json', ...sources])
      cpSync(join(repoRoot, path), join(checkout, path), {
        recursive: true,
        filter: (from) => !/\/(dist|node_modules|generated)$/.test(from),
      })
  })

  // Before the next test, which links them.
  test('fails while its dependencies are not installed, and says what to run', {
    concurrent: false,
  }, async () => {
    await expect(packClient()).rejects.toMatchObject({ stderr: expect.stringContaining('npm run pack') })
    expect(readdirSync(client).filter((name) => name.endsWith('.tgz'))).toEqual([])
  })

  test('builds the package first', { concurrent: false }, async () => {
    for (const path of ['node_modules', 'clients/typescript/node_modules'])
      symlinkSync(join(repoRoot, path), join(checkout, path))

    const [packed] = JSON.parse(await packClient()) as [{ files: { path: string }[] }]

    const files = packed.files.map(({ path }) => path)
    expect(files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/commonjs/index.js']))
    expect(files).toContain('dist/generated/operations.d.ts')
  })

  test('fails for npm if a dependency could not be installed', async () => {
    await expect(execute(join(checkout, 'libs/testcontainers'), 'npm', 'pack')).rejects.toMatchObject({
      stderr: expect.stringMatching(/no version of @tms\/client[^]*npm run pack/),
    })
  })
})

describe.concurrent('the client, installed by npm without a network', () => {
  const project = join(folder, 'a project')
  /** Rejects every call. */
  const server = createServer((_, response) => {
    response.writeHead(400).end('{"result":"error","code":"BAD_REQUEST","msg":"no"}')
  })
  let url = ''
  beforeAll(async () => {
    await pack()
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{}')
    await execute(
      project,
      'npm',
      ...['install', '--offline', '--no-audit', '--no-fund', fileOf('clients/typescript')],
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const program = `import { ApiError, createClient } from '@tms/client'
      export const codeOf = (err: unknown): string | null => (err instanceof ApiError ? err.code : null)
      export const send = async (): Promise<number> =>
        (await createClient({ url: '' }).sendMessage({ type: 'direct', to: [7], content: 'hi' })).id`
    writeFileSync(join(project, 'bot.ts'), program)
  })
  afterAll(() => void server.close())

  test('can be imported', async () => {
    const program = `import { createClient } from '@tms/client'
      console.log(typeof createClient({ url: 'http://localhost' }).sendMessage)`
    expect(await execute(project, 'node', '--input-type=module', '--eval', program)).toBe('function\n')
  })

  test('can be required in a test under plain Jest', async () => {
    writeFileSync(
      join(project, 'bot.test.js'),
      `const { ApiError, createClient } = require('@tms/client')
      test('a refusal', async () => {
        const client = createClient({ url: '${url}', email: 'bot@example.com', apiKey: 'k' })
        await expect(client.getOwnUser()).rejects.toBeInstanceOf(ApiError)
      })`,
    )
    const jest = join(repoRoot, 'node_modules/jest/bin/jest.js')
    await execute(project, 'node', jest, '--rootDir', project)
  })

  test('throws the same error classes to code that imports it and to code that requires it', async () => {
    const program = `import { createRequire } from 'node:module'
      import { ApiError, createClient, NoAnswerError } from '@tms/client'
      const required = createRequire(import.meta.url)('@tms/client')
      class Other extends ApiError {}
      const err = await required.createClient({ url: '${url}', email: 'e', apiKey: 'k' }).getOwnUser().catch((e) => e)
      console.log(required.ApiError !== ApiError, err instanceof required.ApiError, err instanceof ApiError)
      console.log(err instanceof NoAnswerError, err instanceof Other, {} instanceof ApiError)`
    const printed = await execute(project, 'node', '--input-type=module', '--eval', program)
    expect(printed).toBe('true true true\nfalse false false\n')
  })

  test.each(['commonjs --moduleResolution bundler', 'nodenext', 'esnext --moduleResolution bundler'])(
    'has types for a project with --module %s',
    async (module) => {
      const options = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--ignoreConfig']
      const compiler = join(repoRoot, 'node_modules/.bin/tsc')
      await execute(project, compiler, ...options, '--module', ...module.split(' '), 'bot.ts')
    },
  )
})
