// Tests an upgrade under load: builds the images of the release before and of this one, and runs the former with two replicas
// of each service behind a balancer. While clients send and a hundred follow event queues, it upgrades everything, goes back,
// upgrades again, and restarts with a changed setting, as operators do (upgrade.sh). No request may fail, and no event may be
// lost, duplicated or reordered.
//
//   node tests/trials/upgrade.ts                 a quarter of an hour; from the release in `deploy/previous-release`
//   node tests/trials/upgrade.ts --from <rev>    from another revision
//   node tests/trials/upgrade.ts --no-build      with existing images tms-*:before and tms-*:after
//   node tests/trials/upgrade.ts --queues <n>    number of followed event queues (default: 100)
//
// deploy/README.md lists variables for the build. Is skipped without Docker and Compose. The last line is
// `N passed, N failed`.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { repoRoot } from '../../tools/repo-root.ts'
import { serviceNames } from '../../tools/service-names.ts'
import { createProject, deployFolder } from './support/compose-project.ts'
import { runProgram, succeeds } from './support/programs.ts'
import { createSteps, expect } from './support/steps.ts'
import { type Load, startLoad } from './upgrade/load.ts'
import { createPeople } from './upgrade/people.ts'

const [BEFORE, AFTER] = ['before', 'after']
const PEOPLE = 20
const SENDERS = 2
/** How long the load continues after each change. */
const PHASE_MS = 15_000
/** A few users create the load, which would exceed the limits of each. */
const SETTINGS = `
services:
  gateway:
    environment: { RATE_LIMIT_PER_MINUTE: 0, FAILED_LOGINS_PER_MINUTE: 0, ANONYMOUS_CALLS_PER_MINUTE: 0 }
`

const { values: options } = parseArgs({
  options: {
    from: { type: 'string' },
    queues: { type: 'string', default: '100' },
    'no-build': { type: 'boolean', default: false },
  },
})
const from = options.from ?? readFileSync(join(deployFolder, 'previous-release'), 'utf8').trim()
const project = await createProject({
  files: ['compose.yaml', 'compose.replicas.yaml'],
  variables: (port) => ({
    // The version that starts first, and of operators' commands.
    TMS_VERSION: BEFORE,
    BALANCER_PORT: String(port),
    GATEWAY_PORT: '127.0.0.1:',
    HAPROXY_IMAGE: findBalancer(),
  }),
  settings: SETTINGS,
})
const { compose } = project
const { step, fail, finish } = createSteps()

try {
  if (!options['no-build']) {
    await step(`images of the release before (${from}) are built`, buildBefore)
    await step('images of this one are built', () =>
      compose(['build'], { version: AFTER, stdout: 'inherit' }),
    )
  }
  await step('the release before starts', project.start)
  const people = await step(`${PEOPLE} people sign in`, () => createPeople(project, PEOPLE))
  const queuesEach = Math.ceil(Number(options.queues) / PEOPLE)
  const load = await step('load begins', () => startLoad(project, { people, queuesEach, senders: SENDERS }))
  try {
    await replaceEverything(load)
  } finally {
    // If the trial is interrupted, the check doesn't run, and the load would never end.
    await step('no request failed, and every follower received every event once and in order', () =>
      load.verify(),
    ).finally(load.end)
  }
} catch (err) {
  fail(err)
  for (const service of [...serviceNames, 'balancer'])
    console.error(compose(['logs', '--tail=8', service], { mayFail: true }).slice(-3_000))
} finally {
  project.remove()
}
finish()

async function replaceEverything(load: Load): Promise<void> {
  await sleep(PHASE_MS)
  // A machine that is too slow for the load fails requests anyway.
  await step('the release before handles the load', () =>
    expect(
      load.failures.length === 0,
      `${load.failures.length} requests failed before anything was replaced`,
    ),
  )
  await change(load, 'upgraded', AFTER)
  await change(load, 'back at the release before, with the databases of this one', BEFORE, '--back')
  await change(load, 'upgraded again', AFTER)
  await step('the next `up` keeps the version', () => {
    compose(['up', '--detach'], { version: null })
    const images = compose(['images', ...serviceNames], { version: null })
    expect(images.includes(AFTER) && !images.includes(BEFORE), `it runs\n${images}`)
  })
  const key = addPublicKey()
  await change(load, 'restarted with one more key', AFTER, '--restart')
  await step('every replica has the key', () => {
    const replicas = compose(['ps', '--quiet', ...serviceNames], { version: null })
      .trim()
      .split('\n')
    const withoutKey = replicas.filter((id) => !project.variablesOf(id).some((text) => text.includes(key)))
    expect(withoutKey.length === 0, `${withoutKey.join(', ')} lack the key`)
  })
}

/** Brings everything to a version under load, which then continues for a while. */
async function change(load: Load, name: string, version: string, ...how: string[]): Promise<void> {
  const known = load.failures.length
  await load.enter(name)
  await step(`everything is ${name}`, () => {
    const env = { ...project.env, TMS_VERSION: version }
    return runProgram(join(deployFolder, 'upgrade.sh'), how, { env })
  })
  await sleep(PHASE_MS)
  console.log(`  ${load.counts.requests} requests so far; ${load.failures.length - known} of these failed`)
}

/** Adds a second JWT_PUBLIC_KEY, the first step of replacing it. Returns a line of the key. */
function addPublicKey(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const before = readFileSync(project.envFile, 'utf8')
  const after = before.replace(
    /^(JWT_PUBLIC_KEY='.*)'$/m,
    (_, old: string) => `${old}${text.replaceAll('\n', '\\n')}'`,
  )
  expect(after !== before, `${project.envFile} has no JWT_PUBLIC_KEY`)
  writeFileSync(project.envFile, after)
  return text.split('\n')[1] ?? ''
}

/** Builds them in a separate checkout, with that release's Compose file. */
async function buildBefore(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tms-before-'))
  await runProgram('git', ['-C', repoRoot, 'worktree', 'add', '--detach', '--force', folder, from])
  try {
    compose(['build'], { version: BEFORE, stdout: 'inherit', folder: join(folder, 'deploy') })
  } finally {
    await runProgram('git', ['-C', repoRoot, 'worktree', 'remove', '--force', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The official image, or one with Debian's package if it can't be pulled. */
function findBalancer(): string {
  const official = process.env.HAPROXY_IMAGE ?? 'haproxy:3.2-alpine'
  if (succeeds('docker', 'image', 'inspect', official) || succeeds('docker', 'pull', official))
    return official
  console.log(`${official} can't be pulled: building haproxy.Dockerfile instead`)
  const network = process.env.BUILD_NETWORK ?? 'default'
  const file = join(deployFolder, 'haproxy.Dockerfile')
  const args = ['build', `--network=${network}`, '--file', file, '--tag=tms-haproxy', deployFolder]
  expect(succeeds('docker', ...args), `the balancer's image can't be built: docker ${args.join(' ')}`)
  return 'tms-haproxy'
}
