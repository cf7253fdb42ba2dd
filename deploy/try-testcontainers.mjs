// Tests the image for tests and the Testcontainers module: builds the image, then runs the module's tests with real containers
// and the example's test.
//
//   node deploy/try-testcontainers.mjs              some minutes, most of them for the image
//   node deploy/try-testcontainers.mjs --no-build   with the existing image
//
// README.md in this folder lists variables for the build; TEAM_MESSAGING_IMAGE is the name of the image. Is skipped without
// Docker.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProgress } from '../tools/bootstrap/progress.ts'
import { prepareWorkspace } from '../tools/bootstrap.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const image = process.env.TEAM_MESSAGING_IMAGE ?? 'team-messaging'
const BUILD_ARGUMENTS = ['NODE_IMAGE', 'NPM_REGISTRY', 'NPM_CA', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']

if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) {
  console.log('skipped: Docker does not answer here')
  process.exit(0)
}
const steps = {
  'the module is built': build,
  'the image is built': buildImage,
  'the module’s tests with containers pass': tryModule,
  'the bot of the example echoes': tryExample,
}
for (const [name, step] of Object.entries(steps)) {
  const startedAt = Date.now()
  if ((await step()) !== 0) {
    console.log(`✕ ${name}`)
    process.exit(1)
  }
  console.log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
}

async function build() {
  await prepareWorkspace(createProgress(process.stderr))
  return 0
}

function buildImage() {
  if (process.argv.includes('--no-build')) return 0
  const network = process.env.BUILD_NETWORK ?? 'default'
  const given = BUILD_ARGUMENTS.filter((name) => process.env[name])
  const values = given.flatMap((name) => ['--build-arg', name])
  return run('docker', [
    'build',
    '--target=all-in-one',
    `--tag=${image}`,
    `--network=${network}`,
    ...values,
    '.',
  ])
}

async function tryModule() {
  await findReaper()
  return run(programOf('vitest'), ['run', '--project', 'containers'])
}

function tryExample() {
  return run('node', ['--test', 'examples/echo-bot/echo-bot.test.mjs'])
}

/** Testcontainers' reaper removes containers of tests that were killed. Turns it off if its image can't be pulled. */
async function findReaper() {
  const load = createRequire(join(root, 'libs', 'testcontainers', 'package.json'))
  const { getContainerRuntimeClient, getReaper } = load('testcontainers')
  if (process.env.TESTCONTAINERS_RYUK_DISABLED === undefined) {
    await getReaper(await getContainerRuntimeClient()).catch(() => {
      console.log("the image of Testcontainers' reaper can't be pulled: running without it")
      process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
    })
  }
}

function programOf(name) {
  return join(root, 'node_modules', '.bin', name)
}

function run(command, args, env = {}) {
  const options = {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEAM_MESSAGING_IMAGE: image, ...env },
  }
  return spawnSync(command, args, options).status
}
