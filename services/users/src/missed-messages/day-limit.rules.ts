/** How many conversations get a mail of their own, and how many are summed up in one mail; 0 if there is none. */
export interface MailPlan {
  readonly mailed: number
  readonly summedUp: number
  /** The summary is the last mail that the day brings. */
  readonly isLast: boolean
}

/**
 * Plans the mails of a batch. `left` is how many mails the user may get today: the last of these sums up what would
 * need more.
 */
export function planMails(
  { conversations, further }: { readonly conversations: number; readonly further: number },
  left: number,
): MailPlan {
  if (left <= 0) return { mailed: 0, summedUp: 0, isLast: false }
  if (further === 0 && conversations < left) return { mailed: conversations, summedUp: 0, isLast: false }
  const mailed = Math.min(conversations, left - 1)
  return { mailed, summedUp: conversations + further - mailed, isLast: mailed + 1 === left }
}
