// Tests observability/: runs the system with a real Prometheus while clients send and poll. Every query of every panel and of
// KEDA's triggers has to return data, and every alert has to be valid and quiet.
//
//   node deploy/try-observability.mjs              about a minute; build first
//   node deploy/try-observability.mjs --pictures   five minutes, in which a replica of events dies and restarts; writes
//                                                  docs/pictures/tms-*.png with an installed Chromium
//
// Needs PostgreSQL, Redis, RabbitMQ and prometheus as installed programs. Is skipped without prometheus. The last line is
// `N passed, N failed`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createFirstOrganization,
  findInPath,
  pickFreePort,
  provideServers,
  startSystem,
} from '../libs/local-system/dist/index.js'
import { eventsQueries } from '../tools/kubernetes/scaling.mjs'
import { toYaml } from '../tools/kubernetes/yaml.mjs'
import { allQueries, dashboards, expressionFor } from '../tools/observability/dashboards.ts'
import { drawDashboard, toSeries } from '../tools/observability/pictures.ts'
import { alertRules, prometheusConfig, SERIES } from '../tools/observability/prometheus.ts'
import { repoRoot } from '../tools/repo-root.ts'

const CLIENTS = 10
const wantsPictures = process.argv.includes('--pictures')
const LOAD_MS = wantsPictures ? 300_000 : 30_000
/** When a replica of events is killed, and when it is restarted, for pictures. */
const DIES_AFTER_MS = 100_000
const BACK_AFTER_MS = 180_000
const PAUSE_MS = 20
/** The range of rates. */
const RATE = '15s'
const OWNER_PASSWORD = 'only for this trial'

const program = findInPath(['prometheus'], process.env)
if (!program) {
  console.log('skipped: prometheus is not installed (Debian: apt-get install prometheus)\n0 passed, 0 failed')
  process.exit(0)
}
const dataDir = mkdtempSync(join(tmpdir(), 'tms-observability-'))
/** @type {(() => void | Promise<void>)[]} */
const closers = [() => rmSync(dataDir, { recursive: true, force: true })]
let [passed, failed] = [0, 0]
try {
  const { system, owner } = await startEverything()
  const prometheus = await startPrometheus(system)
  const from = Math.floor(Date.now() / 1000)
  const fault = wantsPictures ? killReplica(system.replica('events', 1)) : null
  await generateLoad(system.baseUrl, owner)
  await fault
  await verifyQueries(prometheus)
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
  const [gateway, users, realm] = [system.baseUrl, system.urls.users[0], system.urls.realm[0]]
  const owner = await createFirstOrganization({
    urls: { gateway, users, realm },
    internalPrivateKey: system.keys.internal.privateKey,
    password: OWNER_PASSWORD,
  })
  return { system, owner }
}

/** Starts Prometheus with the deployed configuration, except for the discovery of replicas and the scrape interval. */
async function startPrometheus({ urls }) {
  const write = (name, value) => {
    writeFileSync(join(dataDir, name), toYaml(value))
    return join(dataDir, name)
  }
  const targetsOf = (service) => ({
    static_configs: [{ targets: urls[service].map((url) => new URL(url).host) }],
  })
  const rulesFile = write('alerts.yaml', alertRules())
  const config = write('prometheus.yaml', prometheusConfig({ rulesFile, interval: '1s', targetsOf }))
  const address = `127.0.0.1:${await pickFreePort()}`
  const output = openSync(join(dataDir, 'prometheus.log'), 'w')
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(dataDir, 'prometheus')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', output, output] },
  )
  const ended = once(child, 'exit')
  closers.push(async () => {
    child.kill()
    await ended
  })
  return `http://${address}`
}

/** Bots follow their queues while their owner sends, reads and makes some invalid requests. */
async function generateLoad(baseUrl, owner) {
  const createApiCaller = ({ email, apiKey }) => {
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
    return async (method, path, fields = {}) => {
      const encoded = new URLSearchParams(fields)
      const answer = await fetch(`${baseUrl}/api/v1${path}${method === 'GET' ? `?${encoded}` : ''}`, {
        method,
        headers: { authorization },
        ...(method === 'GET' ? {} : { body: encoded }),
      })
      return answer.json()
    }
  }
  const ask = createApiCaller(owner)
  const endsAt = Date.now() + LOAD_MS
  const follow = async (_, number) => {
    const named = { full_name: `Follower ${number}`, short_name: `follower-${number}` }
    const { user_id, api_key } = await ask('POST', '/bots', named)
    const { members } = await ask('GET', '/users')
    const { email } = members.find((member) => member.user_id === user_id)
    await ask('POST', '/users/me/subscriptions', {
      subscriptions: '[{"name": "general"}]',
      principals: JSON.stringify([user_id]),
    })
    const askAsBot = createApiCaller({ email, apiKey: api_key })
    const { queue_id, last_event_id } = await askAsBot('POST', '/register')
    let lastEventId = last_event_id
    while (Date.now() < endsAt) {
      const { events } = await askAsBot('GET', '/events', { queue_id, last_event_id: lastEventId })
      lastEventId = Math.max(lastEventId, ...events.map(({ id }) => id))
    }
  }
  const act = async () => {
    for (let i = 0; Date.now() < endsAt + 1_000; i++) {
      await ask('POST', '/messages', {
        type: 'stream',
        to: 'general',
        topic: 'trial',
        content: `message ${i}`,
      })
      if (i % 10 === 0) await ask('GET', '/messages', { anchor: 'newest', num_before: '20', num_after: '0' })
      if (i % 25 === 0) await ask('PATCH', '/settings', { twenty_four_hour_time: String(i % 50 === 0) })
      if (i % 40 === 0) await ask('GET', '/no_such_path')
      if (i % 50 === 0) await ask('POST', '/register')
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all([act(), ...Array.from({ length: CLIENTS }, follow)])
}

async function killReplica(replica) {
  await sleep(DIES_AFTER_MS)
  await replica.kill('SIGKILL')
  await sleep(BACK_AFTER_MS - DIES_AFTER_MS)
  await replica.start()
}

/** Draws every dashboard for this range of time. */
async function drawDashboards(prometheus, range) {
  const folder = join(repoRoot, 'docs', 'pictures')
  mkdirSync(folder, { recursive: true })
  for (const dashboard of dashboards) {
    const seriesOf = async (query) => {
      const expr = expressionFor(query.expr, { all: SERIES, rate: RATE })
      const { from: start, to: end, step } = range
      const answer = await fetch(
        `${prometheus}/api/v1/query_range?${new URLSearchParams({ query: expr, start, end, step })}`,
      )
      return toSeries(query, (await answer.json()).data.result)
    }
    const file = join(folder, `${dashboard.uid}.png`)
    await drawDashboard({ dashboard, range, seriesOf, file })
    report(true, `${dashboard.title}: ${file}`)
  }
}

async function verifyQueries(prometheus) {
  const ask = async (path) => (await fetch(`${prometheus}/api/v1/${path}`)).json()
  const targets = (await ask('targets')).data.activeTargets
  report(
    targets.length === 7 && targets.every(({ health }) => health === 'up'),
    'every replica is scraped and answers',
  )
  const byPanels = allQueries().map(({ dashboard, panel, expr }) => ({
    who: `${dashboard} / ${panel}`,
    expr,
  }))
  const byKeda = Object.entries(eventsQueries(SERIES)).map(([name, expr]) => ({
    who: `KEDA / ${name}`,
    expr,
  }))
  for (const { who, expr } of [...byPanels, ...byKeda]) {
    const query = expressionFor(expr, { all: SERIES, rate: RATE })
    const { data, error } = await ask(`query?${new URLSearchParams({ query })}`)
    const values = (data?.result ?? [])
      .map(({ value: [, value] }) => Number(value))
      .filter((value) => !Number.isNaN(value))
    const isGood = values.length > 0
    const most = isGood
      ? `${values.length} series, up to ${Number(Math.max(...values).toPrecision(3))}`
      : error
    report(isGood, `${who}: ${most ?? `no data for ${query}`}`)
  }
  for (const { name, health, state, lastError } of (await ask('rules')).data.groups.flatMap(
    ({ rules }) => rules,
  )) {
    // With a replica that was killed, some alerts are about to fire, as they should.
    const isQuiet = state === 'inactive' || wantsPictures
    report(health === 'ok' && isQuiet, `${name}: ${state}${lastError ? `, ${lastError}` : ''}`)
  }
}

function report(isGood, what) {
  if (isGood) passed += 1
  else failed += 1
  console.log(`${isGood ? '✓' : '✗'} ${what}`)
}
