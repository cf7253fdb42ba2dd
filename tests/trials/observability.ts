// Tests deploy/observability: runs the system with a real Prometheus while clients send and poll. Every query of every panel
// and of KEDA's triggers has to return data, and every alert has to be valid and quiet.
//
//   node tests/trials/observability.ts              about a minute; build first
//   node tests/trials/observability.ts --pictures   five minutes, in which a replica of events dies and restarts; writes
//                                                   docs/pictures/tms-*.png with an installed Chromium
//
// Needs PostgreSQL, Redis, RabbitMQ and prometheus as installed programs. Is skipped without prometheus. The last line is
// `N passed, N failed`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createFirstOrganization,
  findInPath,
  provideServers,
  type Replica,
  startSystem,
} from '@tms/local-system'
import { parse } from 'yaml'
import { allQueries, dashboards, expressionFor } from '../../tools/observability/dashboards.ts'
import type { Query } from '../../tools/observability/panels.ts'
import { drawDashboard, toSeries } from '../../tools/observability/pictures.ts'
import { SERIES } from '../../tools/observability/prometheus.ts'
import { repoRoot } from '../../tools/repo-root.ts'
import { generateLoad } from './observability/load.ts'
import { type Prometheus, startPrometheus } from './observability/prometheus.ts'

const wantsPictures = process.argv.includes('--pictures')
const LOAD_MS = wantsPictures ? 300_000 : 30_000
/** When a replica of events is killed, and when it is restarted, for pictures. */
const DIES_AFTER_MS = 100_000
const BACK_AFTER_MS = 180_000
/** The range of rates. */
const RATE = '15s'
const OWNER_PASSWORD = 'only for this trial'

const program = findInPath(['prometheus'], process.env)
if (!program) {
  console.log('skipped: prometheus is not installed (Debian: apt-get install prometheus)\n0 passed, 0 failed')
  process.exit(0)
}
const dataDir = mkdtempSync(join(tmpdir(), 'tms-observability-'))
const closers: (() => void | Promise<void>)[] = [() => rmSync(dataDir, { recursive: true, force: true })]
let [passed, failed] = [0, 0]
try {
  const { system, owner } = await startEverything()
  const prometheus = await startPrometheus({ program, dataDir, urls: system.urls })
  closers.push(prometheus.stop)
  const from = Math.floor(Date.now() / 1000)
  const fault = wantsPictures ? killReplica(system.replica('events', 1)) : null
  await generateLoad(system.baseUrl, owner, LOAD_MS)
  await fault
  await verifyTargets(prometheus)
  await verifyQueries(prometheus)
  await verifyRules(prometheus)
  if (wantsPictures) await drawDashboards(prometheus, { from, to: Math.floor(Date.now() / 1000), step: 1 })
} catch (err) {
  failed += 1
  console.error(err)
} finally {
  for (const close of closers.reverse()) await close()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function startEverything() {
  const around = { env: process.env, dataDir, logDir: join(dataDir, 'logs') }
  const servers = await provideServers({ ...around, mayUseDocker: false })
  closers.push(() => servers.stop())
  const system = await startSystem({
    ...{ ...around, servers, repoRoot },
    replicas: { events: 2, messaging: 2 },
    extraEnv: { RATE_LIMIT_PER_MINUTE: '0' },
  })
  closers.push(() => system.stop())
  const [[users = ''], [realm = '']] = [system.urls.users, system.urls.realm]
  const owner = await createFirstOrganization({
    urls: { gateway: system.baseUrl, users, realm },
    internalPrivateKey: system.keys.internal.privateKey,
    password: OWNER_PASSWORD,
  })
  if (owner === null) throw new Error('an organization exists in new databases')
  return { system, owner }
}

async function killReplica(replica: Replica): Promise<void> {
  await sleep(DIES_AFTER_MS)
  await replica.kill('SIGKILL')
  await sleep(BACK_AFTER_MS - DIES_AFTER_MS)
  await replica.start()
}

/** Draws every dashboard for this range of time. */
async function drawDashboards(
  prometheus: Prometheus,
  range: { from: number; to: number; step: number },
): Promise<void> {
  const folder = join(repoRoot, 'docs', 'pictures')
  mkdirSync(folder, { recursive: true })
  for (const dashboard of dashboards) {
    const seriesOf = async (query: Query) =>
      toSeries(query, await prometheus.queryRange(concrete(query.expr), range))
    const file = join(folder, `${dashboard.uid}.png`)
    await drawDashboard({ dashboard, range, seriesOf, file })
    report(true, `${dashboard.title}: ${file}`)
  }
}

async function verifyTargets(prometheus: Prometheus): Promise<void> {
  const { activeTargets } = await prometheus.targets()
  report(
    activeTargets.length === 7 && activeTargets.every(({ health }) => health === 'up'),
    'every replica is scraped and answers',
  )
}

async function verifyQueries(prometheus: Prometheus): Promise<void> {
  const byPanels = allQueries().map(({ dashboard, panel, expr }) => ({
    who: `${dashboard} / ${panel}`,
    expr,
  }))
  const byKeda = readKedaQueries().map((expr) => ({ who: `KEDA / ${expr}`, expr }))
  for (const { who, expr } of [...byPanels, ...byKeda]) {
    const query = concrete(expr)
    const { result, error } = await prometheus.query(query)
    const values = result.map(({ value: [, value] }) => Number(value)).filter((value) => !Number.isNaN(value))
    const isGood = values.length > 0
    const most = isGood
      ? `${values.length} series, up to ${Number(Math.max(...values).toPrecision(3))}`
      : error
    report(isGood, `${who}: ${most ?? `no data for ${query}`}`)
  }
}

/** KEDA's queries, for the series of this system. */
function readKedaQueries(): string[] {
  const file = join(repoRoot, 'deploy', 'kubernetes', 'components', 'keda', 'events.yaml')
  const { spec }: { spec: { triggers: { metadata: { query?: string } }[] } } = parse(
    readFileSync(file, 'utf8'),
  )
  return spec.triggers.flatMap(({ metadata: { query } }) =>
    query === undefined ? [] : [query.replace(/namespace="[^"]+"/, SERIES)],
  )
}

async function verifyRules(prometheus: Prometheus): Promise<void> {
  const { groups } = await prometheus.rules()
  for (const { name, health, state, lastError } of groups.flatMap(({ rules }) => rules)) {
    // With a replica that was killed, some alerts are about to fire, as they should.
    const isQuiet = state === 'inactive' || wantsPictures
    report(health === 'ok' && isQuiet, `${name}: ${state}${lastError ? `, ${lastError}` : ''}`)
  }
}

/** An expression of a dashboard for the series of this system. */
function concrete(expr: string): string {
  return expressionFor(expr, { all: SERIES, rate: RATE })
}

function report(isGood: boolean, what: string): void {
  if (isGood) passed += 1
  else failed += 1
  console.log(`${isGood ? '✓' : '✗'} ${what}`)
}
