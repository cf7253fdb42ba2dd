import { block } from '@tms/integrations'

/**
 * The notice to a bot's owner that its webhook call failed. The reason may contain any text, so it is quoted as code.
 */
export function writeFailureNotice(failed: {
  readonly bot: { readonly user_id: number; readonly full_name: string }
  readonly messageId: number
  readonly isDirect: boolean
  readonly reason: string
  /** Number of attempts. */
  readonly attempts: number
}): string {
  const { bot, messageId, isDirect, reason, attempts } = failed
  const cause = isDirect ? 'got' : 'was mentioned in'
  const tries = attempts > 1 ? `after ${attempts} attempts` : 'and nothing tries again'
  return [
    `Your bot @_**${bot.full_name}|${bot.user_id}** ${cause} message ${messageId}, but calling its webhook failed, ${tries}:`,
    '',
    block(reason, 'text'),
  ].join('\n')
}
