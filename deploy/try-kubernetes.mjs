// Tries out an upgrade under load on the Kubernetes cluster that kubectl knows: applies one overlay, and while clients send and
// dozens of them follow their event queues, applies another, goes back, applies it again and restarts every pod, as operators do
// (apply.sh). No request may fail, no event be lost, doubled or reordered.
//
//   node deploy/try-kubernetes.mjs <overlay of the release before> <overlay of this one>
//     --url <http://address:port>   of the gateway; what its Service says unless given, which only a node reaches
//     --queues <n>                  event queues that are followed instead of 60
//
// Both overlays have the same namespace and databases. An organization is made for the trial, and stays with all that was applied.
// In both RATE_LIMIT_PER_MINUTE, FAILED_LOGINS_PER_MINUTE and ANONYMOUS_CALLS_PER_MINUTE are 0, as the load is a few people's and
// comes from one address. Each request has a connection of its own. The last line is `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serviceNames } from '../tools/service-names.mjs'
import { expect, runBeside } from './trial.mjs'
import { createClient } from './trial-client.mjs'
import { createSteps } from './trial-steps.mjs'
import { hire, judge, startLoad } from './upgrade-load.mjs'

const applyScript = join(dirname(fileURLToPath(import.meta.url)), 'kubernetes', 'apply.sh')
const PEOPLE = 20
const SENDERS = 2
const ORGANIZATION = `trial-${Date.now().toString(36)}`
/** How long load goes on in each state, beside the time that changing it takes. */
const PHASE_MS = 15_000

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, queues: { type: 'string', default: '60' } },
})
const [before, after] = positionals
if (!before || !after || positionals.length > 2) {
  console.error('node deploy/try-kubernetes.mjs <overlay of the release before> <overlay of this one>')
  process.exit(2)
}
const { step, fail, tell } = createSteps()

try {
  const { namespace, externalHost } = await step('both overlays are of one namespace and host', () => {
    const [first, second] = [describe(before), describe(after)]
    expect(
      JSON.stringify(first) === JSON.stringify(second),
      `${JSON.stringify(first)} is not ${JSON.stringify(second)}`,
    )
    return first
  })
  await step('the release before is applied', () => runBeside(applyScript, [before]))
  const { hostname, port } = new URL(options.url ?? addressOf(namespace))
  const client = createClient({
    address: hostname,
    port,
    host: `${ORGANIZATION}.${externalHost}`,
    isFresh: true,
  })
  const manage = (...args) =>
    JSON.parse(
      kubectl(
        ...[
          '--namespace',
          namespace,
          'exec',
          'deploy/gateway',
          '--',
          'env',
          'GATEWAY_URL=http://localhost:8080',
        ],
        ...[`EXTERNAL_HOST=${externalHost}`, 'node', '/manage/dist/main.js', ...args, '--json'],
      ),
    )
  const people = await step(`${PEOPLE} people sign in`, () =>
    hire({ manage, call: client.call }, PEOPLE, ORGANIZATION),
  )
  const queuesEach = Math.ceil(Number(options.queues) / PEOPLE)
  const load = await step('load begins', () => startLoad(client, { people, queuesEach, senders: SENDERS }))
  const change = async (name, work) => {
    const known = load.failures.length
    await load.enter(name)
    await step(`everything is ${name}`, work)
    await sleep(PHASE_MS)
    console.log(`  ${load.counts.requests} requests so far; ${load.failures.length - known} of these failed`)
  }
  try {
    await sleep(PHASE_MS)
    // A machine that can't bear the load refuses requests as it is.
    await step('the release before bears the load', () =>
      expect(load.failures.length === 0, `${load.failures.length} requests failed before a pod was replaced`),
    )
    await change('upgraded', () => runBeside(applyScript, [after]))
    await change('back at the release before', () => runBeside(applyScript, ['--back', before]))
    await change('upgraded again', () => runBeside(applyScript, [after]))
    await change('restarted, all services at once', async () => {
      const deployments = serviceNames.map((name) => `deployment/${name}`)
      kubectl('--namespace', namespace, 'rollout', 'restart', ...deployments)
      for (const each of deployments)
        await runBeside('kubectl', ['--namespace', namespace, 'rollout', 'status', each, '--timeout=10m'])
    })
  } finally {
    // Where the trial was interrupted nobody judges it, and it would go on for ever.
    await step('no request failed, and everyone has heard everything once and in order', () =>
      judge(load),
    ).finally(load.end)
  }
} catch (err) {
  fail(err)
}
tell()

/** What kubectl printed. Throws when it fails. */
function kubectl(...args) {
  const ended = spawnSync('kubectl', args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  const said = ended.error?.message ?? ended.stderr
  expect(ended.status === 0, `kubectl ${args.join(' ')} ended with ${ended.status}: ${said}`)
  return ended.stdout
}

/** Where an overlay puts everything, and by which name clients reach it. */
function describe(overlay) {
  const rendered = kubectl('kustomize', overlay)
  const namespace = /^kind: Namespace$[^]*?^ {2}name: (.+)$/m.exec(rendered)?.[1]
  const externalHost = /^ {2}EXTERNAL_HOST: (.+)$/m.exec(rendered)?.[1]
  expect(namespace && externalHost, `${overlay} has no Namespace or no EXTERNAL_HOST`)
  return { namespace, externalHost }
}

function addressOf(namespace) {
  const where = 'jsonpath={.spec.clusterIP}:{.spec.ports[?(@.name=="http")].port}'
  return `http://${kubectl('--namespace', namespace, 'get', 'service', 'gateway', '--output', where)}`
}
