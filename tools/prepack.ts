// Runs in the folder of a package before any command packs it: builds the package, so that none is published without or with
// outdated programs. If that fails, nothing is packed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { repoRoot } from './repo-root.ts'

interface Manifest {
  name: string
  dependencies?: Record<string, string>
}

const folder = relative(repoRoot, process.cwd())
const { name, dependencies = {} }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const REMEDY = 'Run `npm run pack` in the root of the repository: it installs, builds and packs all packages.'

// pnpm replaces `workspace:` by the version, npm doesn't.
const unresolved = Object.entries(dependencies)
  .filter(([, version]) => version.startsWith('workspace:'))
  .map(([dependency]) => dependency)
if (unresolved.length > 0 && !process.env.npm_config_user_agent?.startsWith('pnpm/'))
  refuse(`npm finds no version of ${unresolved.join(', ')}.`)
const compiler = join(repoRoot, 'node_modules', '.bin', 'tsc')
if (!existsSync(compiler)) refuse('it is not built, and the compiler is not installed.')

// Imported late: the generator needs installed packages.
const { generateClient } = await import('./generate-client.ts')
const { markCommonJs } = await import('./published-packages.ts')
await generateClient()
markCommonJs()
const projects = ['tsconfig.json', 'tsconfig.commonjs.json'].map((file) => join(folder, file))
const build = spawnSync(compiler, ['-b', ...projects], { cwd: repoRoot, stdio: ['ignore', 2, 2] })
if (build.status !== 0) refuse('the build failed, see above.')

function refuse(reason: string): never {
  console.error(`${name} is not packed: ${reason}\n${REMEDY}`)
  process.exit(1)
}
