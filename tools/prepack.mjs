// Runs in the folder of a package before it is packed, by whatever command: builds it, so that no package goes out without its
// programs or with old ones. Where that can't be done, it says so, and nothing is packed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const repoRoot = fileURLToPath(new URL('..', import.meta.url))
const folder = relative(repoRoot, process.cwd())
const { name, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const REMEDY = 'Run `npm run pack` in the root of the repository: it installs, builds and packs all packages.'

// pnpm writes the version in its place.
const unresolved = Object.keys(dependencies).filter((each) => dependencies[each].startsWith('workspace:'))
if (unresolved.length > 0 && !process.env.npm_config_user_agent?.startsWith('pnpm/'))
  refuse(`the package would name no version of ${unresolved.join(', ')} that anyone could install.`)
const compiler = join(repoRoot, 'node_modules', '.bin', 'tsc')
if (!existsSync(compiler)) refuse('it is not built, and what builds it is not installed.')

// Not before: the generator needs what is installed.
const { generateClient } = await import('./generate-client.mjs')
const { markCommonJs } = await import('./published-packages.mjs')
await generateClient()
markCommonJs()
const projects = ['tsconfig.json', 'tsconfig.commonjs.json'].map((file) => join(folder, file))
const build = spawnSync(compiler, ['-b', ...projects], { cwd: repoRoot, stdio: ['ignore', 2, 2] })
if (build.status !== 0) refuse('it could not be built; what is wrong stands above.')

function refuse(reason) {
  console.error(`${name} is not packed: ${reason}\n${REMEDY}`)
  process.exit(1)
}
