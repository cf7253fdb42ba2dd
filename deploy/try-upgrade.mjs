// Tries out an upgrade under load: builds the images of the release before and of this one, runs the former with two of each
// service behind a balancer, and while clients send and a hundred of them follow their event queues, brings everything to this
// one, back, and forward again, and restarts it with a changed setting, as operators do (upgrade.sh). No request may fail, no
// event be lost, doubled or reordered.
//
//   node deploy/try-upgrade.mjs                 a quarter of an hour; the release before is the one that `previous-release` names
//   node deploy/try-upgrade.mjs --from <rev>    from another revision
//   node deploy/try-upgrade.mjs --no-build      with the images tms-*:before and tms-*:after that there are
//   node deploy/try-upgrade.mjs --queues <n>    event queues that are followed instead of 100
//
// Variables that help the build are those of README.md beside this file. Where no Docker with Compose is, it says so and ends
// well. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serviceNames } from '../tools/service-names.mjs'
import { createTrial, expect, runBeside } from './trial.mjs'
import { createSteps } from './trial-steps.mjs'
import { hire, judge, startLoad } from './upgrade-load.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const [BEFORE, AFTER] = ['before', 'after']
const PEOPLE = 20
const SENDERS = 2
/** How long load goes on in each state, beside the time that changing it takes. */
const PHASE_MS = 15_000
/** The load is a few people's, which would be too much of each. */
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
const from = options.from ?? readFileSync(join(here, 'previous-release'), 'utf8').trim()
const trial = await createTrial({
  files: ['compose.yaml', 'compose.replicas.yaml'],
  variables: (port) => ({
    // Of what starts first, and of operators' commands.
    TMS_VERSION: BEFORE,
    BALANCER_PORT: String(port),
    GATEWAY_PORT: '127.0.0.1:',
    HAPROXY_IMAGE: findBalancer(),
  }),
  settings: SETTINGS,
})
if (!trial) {
  console.log('skipped: Docker with Compose does not answer here\n0 passed, 0 failed')
  process.exit(0)
}
const { compose } = trial
const { step, fail, tell } = createSteps()

try {
  if (!options['no-build']) {
    await step(`images of the release before (${from}) are built`, buildBefore)
    await step('images of this one are built', () =>
      compose(['build'], { version: AFTER, stdout: 'inherit' }),
    )
  }
  await step('the release before starts', trial.start)
  const people = await step(`${PEOPLE} people sign in`, () => hire(trial, PEOPLE))
  const load = await step('load begins', () =>
    startLoad(trial, { people, queuesEach: Math.ceil(Number(options.queues) / PEOPLE), senders: SENDERS }),
  )
  try {
    await sleep(PHASE_MS)
    // A machine that can't bear the load refuses requests as it is.
    await step('the release before bears the load', () =>
      expect(
        load.failures.length === 0,
        `${load.failures.length} requests failed before anything was replaced`,
      ),
    )
    await change(load, 'upgraded', AFTER)
    await change(load, 'back at the release before, with the databases of this one', BEFORE, '--back')
    await change(load, 'upgraded again', AFTER)
    await step('the next `up` leaves it at that', () => {
      compose(['up', '--detach'], { version: null })
      const images = compose(['images', ...serviceNames], { version: null })
      expect(images.includes(AFTER) && !images.includes(BEFORE), `it runs\n${images}`)
    })
    const key = addPublicKey()
    await change(load, 'restarted, to know one more key', AFTER, '--restart')
    await step('every replica knows it', () => {
      const replicas = compose(['ps', '--quiet', ...serviceNames], { version: null })
        .trim()
        .split('\n')
      const unaware = replicas.filter((id) => !trial.variablesOf(id).some((text) => text.includes(key)))
      expect(unaware.length === 0, `${unaware.join(', ')} don't`)
    })
  } finally {
    // Where the trial was interrupted nobody judges it, and it would go on for ever.
    await step('no request failed, and everyone has heard everything once and in order', () =>
      judge(load),
    ).finally(load.end)
  }
} catch (err) {
  fail(err)
  for (const service of [...serviceNames, 'balancer'])
    console.error(compose(['logs', '--tail=8', service], { mayFail: true }).slice(-3_000))
} finally {
  trial.remove()
}
tell()

/** Everything is brought to a version under load, which goes on for a while then. */
async function change(load, name, version, ...how) {
  const known = load.failures.length
  await load.enter(name)
  await step(`everything is ${name}`, () => {
    const env = { ...trial.env, TMS_VERSION: version }
    return runBeside(join(here, 'upgrade.sh'), how, { env })
  })
  await sleep(PHASE_MS)
  console.log(`  ${load.counts.requests} requests so far; ${load.failures.length - known} of these failed`)
}

/** Puts a new key after the one that says who a client is, as whoever replaces it does first. Returns a line of it. */
function addPublicKey() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = publicKey.export({ type: 'spki', format: 'pem' })
  const file = trial.env.ENV_FILE
  const before = readFileSync(file, 'utf8')
  const after = before.replace(
    /^(JWT_PUBLIC_KEY='.*)'$/m,
    (_, old) => `${old}${text.replaceAll('\n', '\\n')}'`,
  )
  expect(after !== before, `${file} has no JWT_PUBLIC_KEY`)
  writeFileSync(file, after)
  return text.split('\n')[1]
}

/** From a checkout of their own, with the build's settings of then. */
async function buildBefore() {
  const folder = mkdtempSync(join(tmpdir(), 'tms-before-'))
  const root = join(here, '..')
  await runBeside('git', ['-C', root, 'worktree', 'add', '--detach', '--force', folder, from])
  try {
    compose(['build'], { version: BEFORE, stdout: 'inherit', folder: join(folder, 'deploy') })
  } finally {
    await runBeside('git', ['-C', root, 'worktree', 'remove', '--force', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The official image, or where it can't be had one by Debian's package. */
function findBalancer() {
  const official = process.env.HAPROXY_IMAGE ?? 'haproxy:3.2-alpine'
  const has = (...args) => spawnSync('docker', args, { stdio: 'ignore' }).status === 0
  if (has('image', 'inspect', official) || has('pull', official)) return official
  console.log(`${official} can't be had: haproxy.Dockerfile is built instead`)
  const network = process.env.BUILD_NETWORK ?? 'default'
  const file = join(here, 'haproxy.Dockerfile')
  const args = ['build', `--network=${network}`, '--file', file, '--tag=tms-haproxy', here]
  expect(has(...args), `the balancer can't be built: docker ${args.join(' ')}`)
  return 'tms-haproxy'
}
