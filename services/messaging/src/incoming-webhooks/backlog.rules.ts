/** When a sender should try again that found the backlog full: many have been posted by then. */
export const RETRY_AFTER_SECONDS = 60

/** From this age on a backlog is worth a notice. */
const NOTABLE_MS = 10_000
/** A smaller one that ends sooner isn't: its messages are some seconds late. */
const NOTABLE_COUNT = 20

/** How many deliveries came faster than their bot may post, and how many of them still wait. */
export interface WebhookBacklog {
  readonly arrived: number
  readonly waiting: number
  readonly ageMs: number
  readonly intervalMs: number
}

/** Whether the owner should know of a backlog, just before one of its deliveries is posted. */
export const isNotable = ({ arrived, waiting, ageMs }: WebhookBacklog): boolean =>
  ageMs >= NOTABLE_MS || (waiting === 1 && arrived >= NOTABLE_COUNT)

/** Says to the owner of a bot that deliveries wait, and that none is lost. */
export function writeBacklogNotice(
  bot: { readonly user_id: number; readonly full_name: string },
  { arrived, waiting, intervalMs }: WebhookBacklog,
): string {
  const perMinute = Math.round(60_000 / intervalMs)
  const minutes = Math.ceil((waiting * intervalMs) / 60_000)
  return [
    `${format(arrived)} deliveries have come for your bot @_**${bot.full_name}|${bot.user_id}** faster than it may post, which is ${format(perMinute)} times a minute.`,
    `None is lost: they are posted in their order, as fast as it may. ${format(waiting)} still wait, which takes about ${minutes === 1 ? 'a minute' : `${format(minutes)} minutes`}; the list of its deliveries shows them.`,
  ].join(' ')
}

const format = (count: number): string => count.toLocaleString('en-US')

/** Milliseconds until the next attempt after so many failures. */
export const retryDelayMs = (failures: number): number => Math.min(60_000, 2_000 * 2 ** failures)

/** Attempts at a delivery, over some minutes, before it is given up, if not even the reason of its failure is known. */
export const MAX_FAILURES = 10
