/** What the owner of a bot is told when calling it came to nothing. The reason may quote anything, so it is quoted as it is. */
export function failureText(failed: {
  readonly bot: { readonly user_id: number; readonly full_name: string }
  readonly messageId: number
  readonly isDirect: boolean
  readonly reason: string
  /** How often it was called. */
  readonly attempts: number
}): string {
  const { bot, messageId, isDirect, reason, attempts } = failed
  const cause = isDirect ? 'got' : 'was mentioned in'
  const tries = attempts > 1 ? `after ${attempts} attempts` : 'and nothing tries again'
  return [
    `Your bot @_**${bot.full_name}|${bot.user_id}** ${cause} message ${messageId}, but calling its webhook failed, ${tries}:`,
    '',
    '```text',
    reason,
    '```',
  ].join('\n')
}
