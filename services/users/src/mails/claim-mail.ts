import { asTx, networkOf } from '@tms/service-kit'
import type { Context, PrismaTx } from '../context.ts'
import { addMailRequest, lockMailRequests } from './mail-requests.queries.ts'
import { type MailLimit, secondsToNextMail } from './mail-requests.rules.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/** A mail that someone without an account has sent to an address. */
export interface WantedMail {
  /** What for: mails of another kind have limits of their own. */
  readonly purpose: string
  readonly realmId: number
  readonly foldedEmail: string
  /** Address of the client that asks. */
  readonly ip: string
}

/**
 * Counts a mail against the limits of the address that gets it and of the client that asks, if it is within all of
 * them; a refused one doesn't count. Returns the seconds until it would be, 0 if it is.
 */
export async function claimMail(
  tx: PrismaTx,
  { purpose, realmId, foldedEmail, ip }: WantedMail,
  { mailLimits: { perHour, perDay, perIpPerDay }, now }: Pick<Context, 'mailLimits' | 'now'>,
): Promise<number> {
  const limitsOf = new Map<string, MailLimit[]>([
    [
      `${purpose} in realm ${realmId} for ${foldedEmail}`,
      [
        { max: perHour, windowSeconds: HOUR_SECONDS },
        { max: perDay, windowSeconds: DAY_SECONDS },
      ],
    ],
    [`client ${networkOf(ip)}`, [{ max: perIpPerDay, windowSeconds: DAY_SECONDS }]],
  ])
  const subjects = [...limitsOf.keys()]
  const at = now()
  const waits = (await lockMailRequests(asTx(tx), subjects)).map(({ subject, requestedAt }) =>
    // A limit of 0 is none.
    secondsToNextMail(
      requestedAt,
      (limitsOf.get(subject) ?? []).filter(({ max }) => max > 0),
      at.getTime(),
    ),
  )
  const seconds = Math.max(...waits)
  if (seconds === 0) await addMailRequest(asTx(tx), subjects, at)
  return seconds
}
