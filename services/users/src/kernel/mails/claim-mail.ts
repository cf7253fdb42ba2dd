import { networkOf } from '@tms/service-kit'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { addMailRequest, lockMailRequests } from './mail-requests.queries.ts'
import { type MailLimit, secondsToNextMail } from './mail-requests.rules.ts'

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

/** A mail requested by a client without an account. */
export interface MailRequest {
  /** Each purpose has its own limits. */
  readonly purpose: string
  readonly realmId: number
  readonly foldedEmail: string
  /** The client's address. */
  readonly ip: string
}

/** Mails that may be requested of each kind by an address, and of all kinds by a client; 0 means any number. */
export interface MailLimits {
  readonly perHour: number
  readonly perDay: number
  readonly perIpPerDay: number
}

/**
 * Counts a mail against the limits of its recipient and of the requesting client, if it is within both. Returns 0, or
 * the seconds until it would be allowed; a refused mail doesn't count.
 */
export async function claimMail(
  tx: PrismaTx,
  { purpose, realmId, foldedEmail, ip }: MailRequest,
  {
    mailLimits: { perHour, perDay, perIpPerDay },
    now,
  }: { readonly mailLimits: MailLimits; readonly now: () => Date },
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
  const waits = (await lockMailRequests(tx, subjects)).map(({ subject, requestedAt }) =>
    // A limit of 0 means none.
    secondsToNextMail(
      requestedAt,
      (limitsOf.get(subject) ?? []).filter(({ max }) => max > 0),
      at.getTime(),
    ),
  )
  const seconds = Math.max(...waits)
  if (seconds === 0) await addMailRequest(tx, subjects, at)
  return seconds
}
