import { internal, type PushState } from '@tms/contracts'
import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { type PushRelay, PushRelayError, SENDS_NOTHING } from '../kernel/pushes/push-relay.ts'
import { recordPushStates } from './push-states.ts'
import { claimReport, hastenReport, postponeReport } from './report.queries.ts'

const HOUR_MS = 3_600_000
const RETRY_MS = 300_000
/** Between looks at whether a report is due: another replica may have made it. */
const PAUSE_MS = 30_000
/** Between reports for organizations that the service didn't know: it may go on not to. */
const MIN_HASTENED_MS = 60_000

/**
 * Reports the organizations, by name and address, to the push relay service, which sends nothing for those that it
 * doesn't know; records what it says about each, and returns that. Throws `PushRelayError`.
 */
export async function report(context: Pick<Context, 'call'>, relay: PushRelay): Promise<PushState[]> {
  const { realms } = await context.call(internal.realm.listRealmProjections, {})
  const found = await relay.report(realms).catch(async (err: unknown) => {
    // It sends nothing either, so clients aren't to say that it does.
    if (isRefusal(err)) await recordThatNothingIsSent(context)
    throw err
  })
  const states = [...found].map(([realm_id, state]) => ({ realm_id, ...state }))
  await recordPushStates(context, states)
  return states
}

/** Records that the push relay service sends nothing for any organization. */
export async function recordThatNothingIsSent(context: Pick<Context, 'call'>): Promise<void> {
  const { realms } = await context.call(internal.realm.listRealmProjections, {})
  await recordPushStates(
    context,
    realms.map(({ realm_id }) => ({ realm_id, ...SENDS_NOTHING })),
  )
}

const isRefusal = (err: unknown): err is PushRelayError =>
  err instanceof PushRelayError && (err.fault === 'refused' || err.fault === 'unregistered')

/** The loop, and `hasten`, which has a report made soon: the service doesn't know an organization. */
type RunningReports = Loop & { hasten(): void }

/** Reports each hour, by one replica. */
export function startReports(context: Context, relay: PushRelay, log: Logger): RunningReports {
  const { db } = context
  const { organization } = relay
  const loop = startLoop({
    name: 'reports to the push relay service',
    log,
    round: async () => {
      const claim = await claimReport(db, organization, RETRY_MS)
      if (claim === null) return PAUSE_MS
      try {
        await report(context, relay)
      } catch (err) {
        // Without a registration it refuses; an operator has to look, or to register.
        log.warn({ err }, 'the push relay service takes no report')
        // Otherwise the claim ends when it is to be tried again.
        if (!isRefusal(err)) return PAUSE_MS
      }
      await postponeReport(db, organization, claim, HOUR_MS)
      return PAUSE_MS
    },
  })
  return {
    ...loop,
    hasten: () => {
      hastenReport(db, organization, MIN_HASTENED_MS)
        .then((isDue) => isDue && loop.wake())
        .catch((err: unknown) => log.warn({ err }, 'the push relay service gets its report later'))
    },
  }
}
