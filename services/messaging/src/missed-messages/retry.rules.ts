const FIRST_DELAY_MS = 2_000
/** Longer ones would delay mails for long after users is back. */
const MAX_DELAY_MS = 300_000
/** Attempts within about a day, after which a mail is no news. */
const MAX_ATTEMPTS = 295

/** How long a batch waits that has failed so often. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20))

/** Whether a batch is given up after so many failures. */
export const isLastAttempt = (attempts: number): boolean => attempts >= MAX_ATTEMPTS
