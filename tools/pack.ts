// `npm run pack`: packs the packages for authors of bots, the client and the Testcontainers module. Starts no server.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace, workspaceEnvironment } from './bootstrap.ts'
import { publishedPackages } from './published-packages.ts'
import { repoRoot } from './repo-root.ts'

const HELP = `npm run pack [-- <folder>]

Installs and builds what is out of date, packs @tms/client and @tms/testcontainers into a folder (default: .local/packages),
and prints how to install them. Starts no server and needs no container engine.`

const args = process.argv.slice(2)
if (args.includes('--help') || args.length > 1 || args[0]?.startsWith('-')) {
  console.log(HELP)
  process.exit(args.includes('--help') ? 0 : 2)
}
try {
  const folder = resolve(args[0] ?? join(repoRoot, '.local', 'packages'))
  mkdirSync(folder, { recursive: true })
  await prepareWorkspace(createProgress(process.stderr))
  const files = publishedPackages.map((source) => pack(source, folder))
  console.log(`\nIn the folder of a bot:\n\n  npm install ${files[0]}\n  npm install --save-dev ${files[1]}`)
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}

/** Packs the package of a folder. Prints and returns the file. */
function pack(source: string, folder: string): string {
  const { name, version }: { name: string; version: string } = JSON.parse(
    readFileSync(join(repoRoot, source, 'package.json'), 'utf8'),
  )
  const packed = spawnSync('pnpm', ['--dir', source, 'pack', '--pack-destination', folder], {
    cwd: repoRoot,
    env: workspaceEnvironment(),
    encoding: 'utf8',
  })
  if (packed.status !== 0)
    throw new Error(packed.error?.message ?? `${packed.stdout}${packed.stderr}`.trimEnd())
  const file = join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  console.log(file)
  return file
}
