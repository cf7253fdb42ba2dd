// Tests the image for tests and the Testcontainers module: builds the image, then runs the module's tests with real containers
// and the example's test.
//
//   node tests/trials/testcontainers.ts              some minutes, most of them for the image
//   node tests/trials/testcontainers.ts --no-build   with the existing image
//
// deploy/README.md lists variables for the build; TEAM_MESSAGING_IMAGE is the name of the image. Is skipped without Docker.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createProgress } from '../../tools/bootstrap/progress.ts'
import { prepareWorkspace } from '../../tools/bootstrap.ts'
import { repoRoot } from '../../tools/repo-root.ts'
import { succeeds } from './support/programs.ts'
import { createSteps, expect } from './support/steps.ts'

const image = process.env.TEAM_MESSAGING_IMAGE ?? 'team-messaging'
const BUILD_ARGUMENTS = ['NODE_IMAGE', 'NPM_REGISTRY', 'NPM_CA', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']

if (!succeeds('docker', 'info')) {
  console.log('skipped: Docker does not answer here')
  process.exit(0)
}
const { step, fail, finish } = createSteps()
try {
  await step('the module is built', () => prepareWorkspace(createProgress(process.stderr)))
  if (!process.argv.includes('--no-build')) await step('the image is built', buildImage)
  await step('the module’s tests with containers pass', tryModule)
  await step('the bot of the example echoes', () =>
    run('node', ['--test', 'examples/echo-bot/echo-bot.test.mjs']),
  )
} catch (err) {
  fail(err)
}
finish()

function buildImage(): void {
  const network = process.env.BUILD_NETWORK ?? 'default'
  const given = BUILD_ARGUMENTS.filter((name) => process.env[name])
  const values = given.flatMap((name) => ['--build-arg', name])
  const where = ['--target=all-in-one', `--tag=${image}`, `--network=${network}`]
  run('docker', ['build', ...where, ...values, '.'])
}

async function tryModule(): Promise<void> {
  await findReaper()
  run(join(repoRoot, 'node_modules', '.bin', 'vitest'), ['run', '--project', 'containers'])
}

/** The part of testcontainers that the trial uses. */
interface Testcontainers {
  getContainerRuntimeClient: () => Promise<object>
  getReaper: (client: object) => Promise<object>
}

/** Testcontainers' reaper removes containers of tests that were killed. Turns it off if its image can't be pulled. */
async function findReaper(): Promise<void> {
  if (process.env.TESTCONTAINERS_RYUK_DISABLED !== undefined) return
  const load = createRequire(join(repoRoot, 'libs', 'testcontainers', 'package.json'))
  const { getContainerRuntimeClient, getReaper }: Testcontainers = load('testcontainers')
  await getReaper(await getContainerRuntimeClient()).catch(() => {
    console.log("the image of Testcontainers' reaper can't be pulled: running without it")
    process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
  })
}

/** Runs a program with inherited output. Throws if it fails. */
function run(command: string, args: string[]): void {
  const env = { ...process.env, TEAM_MESSAGING_IMAGE: image }
  const { status } = spawnSync(command, args, { cwd: repoRoot, stdio: 'inherit', env })
  expect(status === 0, `${command} ended with ${status}`)
}
