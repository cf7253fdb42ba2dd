// Tests an upgrade under load on kubectl's current Kubernetes cluster: applies one overlay, and while clients send and dozens
// follow event queues, applies another, goes back, applies it again and restarts every pod, as operators do (apply.sh). No
// request may fail, and no event may be lost, duplicated or reordered.
//
//   node tests/trials/kubernetes.ts <overlay of the release before> <overlay of this one>
//     --url <http://address:port>   of the gateway; default: its Service's address, which only nodes can reach
//     --queues <n>                  number of followed event queues (default: 60)
//
// Both overlays must have the same namespace and databases, and RATE_LIMIT_PER_MINUTE, FAILED_LOGINS_PER_MINUTE and
// ANONYMOUS_CALLS_PER_MINUTE must be 0, since a few users create the load from one address. Each request uses a connection of
// its own. The organization that the trial creates, and everything that was applied, remain. The last line is `N passed, N failed`.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { repoRoot } from '../../tools/repo-root.ts'
import { serviceNames } from '../../tools/service-names.ts'
import { createClient } from './support/client.ts'
import { run, runProgram } from './support/programs.ts'
import { createSteps, expect } from './support/steps.ts'
import { type Load, startLoad } from './upgrade/load.ts'
import { createPeople } from './upgrade/people.ts'

const applyScript = join(repoRoot, 'deploy', 'kubernetes', 'apply.sh')
const PEOPLE = 20
const SENDERS = 2
const ORGANIZATION = `trial-${Date.now().toString(36)}`
/** How long the load continues after each change. */
const PHASE_MS = 15_000

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, queues: { type: 'string', default: '60' } },
})
const [before, after] = positionals
if (!before || !after || positionals.length > 2) {
  console.error('node tests/trials/kubernetes.ts <overlay of the release before> <overlay of this one>')
  process.exit(2)
}
const { step, fail, finish } = createSteps()

try {
  const { namespace, externalHost } = await step('both overlays have the same namespace and host', () => {
    const [first, second] = [describe(before), describe(after)]
    expect(
      JSON.stringify(first) === JSON.stringify(second),
      `${JSON.stringify(first)} is not ${JSON.stringify(second)}`,
    )
    return first
  })
  await step('the release before is applied', () => runProgram(applyScript, [before]))
  const { hostname, port } = new URL(options.url ?? addressOf(namespace))
  const client = createClient({
    ...{ address: hostname, port: Number(port || 80), isFresh: true },
    host: `${ORGANIZATION}.${externalHost}`,
  })
  const environment = ['GATEWAY_URL=http://localhost:8080', `EXTERNAL_HOST=${externalHost}`]
  const command = ['exec', 'deploy/gateway', '--', 'env', ...environment, 'node', '/manage/dist/main.js']
  const manage = <T>(...args: string[]): T =>
    JSON.parse(kubectl('--namespace', namespace, ...command, ...args, '--json'))
  const people = await step(`${PEOPLE} people sign in`, () =>
    createPeople({ manage, call: client.call }, PEOPLE, ORGANIZATION),
  )
  const queuesEach = Math.ceil(Number(options.queues) / PEOPLE)
  const load = await step('load begins', () => startLoad(client, { people, queuesEach, senders: SENDERS }))
  try {
    await sleep(PHASE_MS)
    // A machine that is too slow for the load fails requests anyway.
    await step('the release before handles the load', () =>
      expect(load.failures.length === 0, `${load.failures.length} requests failed before a pod was replaced`),
    )
    await change(load, 'upgraded', () => runProgram(applyScript, [after]))
    await change(load, 'back at the release before', () => runProgram(applyScript, ['--back', before]))
    await change(load, 'upgraded again', () => runProgram(applyScript, [after]))
    await change(load, 'restarted, all services at once', () => restart(namespace))
  } finally {
    // If the trial is interrupted, the check doesn't run, and the load would never end.
    await step('no request failed, and every follower received every event once and in order', () =>
      load.verify(),
    ).finally(load.end)
  }
} catch (err) {
  fail(err)
}
finish()

/** Changes something under load, which then continues for a while. */
async function change(load: Load, name: string, work: () => Promise<void>): Promise<void> {
  const known = load.failures.length
  await load.enter(name)
  await step(`everything is ${name}`, work)
  await sleep(PHASE_MS)
  console.log(`  ${load.counts.requests} requests so far; ${load.failures.length - known} of these failed`)
}

async function restart(namespace: string): Promise<void> {
  const deployments = serviceNames.map((name) => `deployment/${name}`)
  kubectl('--namespace', namespace, 'rollout', 'restart', ...deployments)
  for (const each of deployments)
    await runProgram('kubectl', ['--namespace', namespace, 'rollout', 'status', each, '--timeout=10m'])
}

/** Runs kubectl and returns its output. Throws if it fails. */
function kubectl(...args: string[]): string {
  return run(process.env, ['kubectl', ...args])
}

/** The namespace of an overlay, and the host name that clients use. */
function describe(overlay: string): { namespace: string; externalHost: string } {
  const rendered = kubectl('kustomize', overlay)
  const namespace = /^kind: Namespace$[^]*?^ {2}name: (.+)$/m.exec(rendered)?.[1]
  const externalHost = /^ {2}EXTERNAL_HOST: (.+)$/m.exec(rendered)?.[1]
  expect(namespace && externalHost, `${overlay} has no Namespace or no EXTERNAL_HOST`)
  return { namespace, externalHost }
}

function addressOf(namespace: string): string {
  const where = 'jsonpath={.spec.clusterIP}:{.spec.ports[?(@.name=="http")].port}'
  return `http://${kubectl('--namespace', namespace, 'get', 'service', 'gateway', '--output', where)}`
}
