import { internal, Role } from '@tms/contracts'
import { createInternalClient, createInternalTokenSource } from '@tms/service-kit'
import type { Call } from '../load/http-call.ts'
import { formCall } from '../load/http-call.ts'
import { asCount, asMs, asNumber } from '../report/format.ts'
import type { SectionResult } from '../report/section.ts'
import { spreadOf } from '../report/statistics.ts'
import { authorizationOf, portOf } from '../setup/population.ts'
import { type Bench, describeUsage, senderOf, underLoad } from './bench.ts'

/** Concurrency: more than hashes that run at once, fewer than may wait. */
const SIGNING_IN = 16
const CALLERS = 16
const PASSWORD = 'correct horse battery staple'

/** Sign-ins per second, and calls per second of known users at an endpoint that does almost nothing. */
export async function measureSigningIn(bench: Bench): Promise<SectionResult> {
  const signIns = await createSignIns(bench)
  const known = Array.from({ length: CALLERS }, (_, i) => cheapCall(bench, i))
  const measured = []
  for (const [what, calls] of [
    ['sign-ins', signIns],
    ['calls of known users', known],
  ] as const) {
    const { sizes } = bench
    const { result, usage } = await underLoad(bench, what, (load) =>
      load.call('runClosedLoop', {
        calls,
        seconds: sizes.loadSeconds,
        warmUpSeconds: sizes.warmUpSeconds,
      }),
    )
    const perSecond = result.latencies.length / result.seconds
    // Of all identity lookups of the gateway; those of the warm-up are the same.
    const gatewayMicroseconds = ((usage['gateway'] ?? 0) / perSecond) * 1_000_000
    measured.push({
      what,
      callers: calls.length,
      perSecond,
      gatewayMicroseconds,
      usage,
      ...spreadOf(result.latencies),
    })
  }
  return {
    tables: [
      {
        title: 'Signing in, and calls of known users',
        columns: ['what', 'at once', 'per second', 'p50', 'p99', 'CPU of the gateway'],
        rows: measured.map(({ what, callers, perSecond, p50, p99, gatewayMicroseconds }) => [
          what,
          String(callers),
          asCount(perSecond),
          asMs(p50),
          asMs(p99),
          `${asNumber(Math.round(gatewayMicroseconds))} µs`,
        ]),
        notes: measured.map(({ what, usage }) => `busy cores, ${what}: ${describeUsage(usage)}`),
      },
    ],
    data: measured,
  }
}

/** Creates accounts with a password. Returns their sign-in calls. */
async function createSignIns({ system, population }: Bench): Promise<Call[]> {
  const callProbe = createInternalClient(
    system.urls,
    createInternalTokenSource('bench', system.keys.internal.privateKey),
  )
  const calls: Call[] = []
  for (let i = 0; i < SIGNING_IN; i++) {
    const email = `signing.in.${i}@example.com`
    const account = { email, password: PASSWORD, full_name: `Signing In ${i}`, role: Role.member }
    await callProbe(internal.users.ensureUser, { realm_id: population.realmId, ...account })
    const fields = { username: email, password: PASSWORD }
    calls.push(formCall(portOf(system.baseUrl), '/api/v1/fetch_api_key', '', fields))
  }
  return calls
}

function cheapCall({ system, population }: Bench, index: number): Call {
  const headers = { authorization: authorizationOf(senderOf(population, index)), 'user-agent': 'bench' }
  return { port: portOf(system.baseUrl), method: 'GET', path: '/api/v1/users/me/alert_words', headers }
}
